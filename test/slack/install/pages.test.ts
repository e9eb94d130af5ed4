import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { installRoutes } from '../../../src/slack/install/installer.ts'
import { installedPage } from '../../../src/slack/install/pages.ts'

const bot = { token: 'xoxb-secret', scopes: [], id: 'B1', userId: 'U2' }

test('shows the name of the workspace as text, and no token', () => {
  const { html } = installedPage({ team: { id: 'T1', name: '<img src=x> "&\'' }, bot })
  expect(html).toContain(`&lt;img src=x> &quot;&amp;'.</h1>`)
  expect(html).not.toContain('xoxb')
})

test('links to the choice of workspaces, at Slack only', () => {
  const org = { enterprise: { id: 'E1', name: 'Org' }, isEnterpriseInstall: true, appId: 'A1' }
  const enterpriseUrl = 'https://org.enterprise.slack.com/'
  expect(installedPage({ ...org, enterpriseUrl, bot }).html).toContain(
    'href="https://org.enterprise.slack.com/manage/organization/apps/profile/A1/workspaces/add"',
  )
  const elsewhere = installedPage({ ...org, enterpriseUrl: 'javascript:alert(1)//', bot })
  expect(elsewhere.html).not.toContain('javascript')
})

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
