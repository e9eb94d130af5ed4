import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { installRoutes } from '../../../src/slack/install/installer.ts'
import { startApp } from '../../support/app.ts'

test('asks the user to wait while the app starts or stops', async () => {
  const server = fastify()
  await server.register(installRoutes(() => undefined))
  const page = await server.inject('/slack/install')
  expect(page.statusCode).toBe(503)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
  })
  expect(page.body).toContain('One moment, please.')
  await server.close()
})

test('offers no installation if the app has a single bot token', async () => {
  const app = await startApp()
  const { status } = await fetch(`${app.running.appUrl}/slack/install`)
  expect(status).toBe(404)
  await app.stop()
})
