import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { SIGNING_SECRET } from '../support/workspace.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const get = (path: string): Promise<Response> => fetch(`${app.running.appUrl}${path}`)

test('reports that the app is alive and ready', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).status).toBe(200)
})

test('returns 404 for a QR image that the app did not create', async () => {
  expect((await get('/qr/AAAA.png')).status).toBe(404)
  expect((await get('/qr/..%2f..%2fetc%2fpasswd')).status).toBe(404)
})

/** Sends a slash command signed as Slack does it, except for the changes, and returns the status. */
async function command(
  change: { secret?: string; time?: number; body?: string; type?: string } = {},
): Promise<number> {
  const { secret = SIGNING_SECRET, time = Math.floor(Date.now() / 1000) } = change
  const body = change.body ?? 'command=%2Fshorten&text=help&team_id=T1&user_id=U1'
  const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
  const response = await fetch(`${app.running.appUrl}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': change.type ?? 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(time),
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  })
  return response.status
}

test('accepts a request that Slack signed', async () => {
  expect(await command()).toBe(200)
})

test('rejects a request that is unsigned, stale or signed with another secret', async () => {
  expect(await command({ secret: 'another' })).toBe(401)
  expect(await command({ time: Math.floor(Date.now() / 1000) - 301 })).toBe(401)
  const unsigned = await fetch(`${app.running.appUrl}/slack/events`, {
    method: 'POST',
    body: 'a=b',
  })
  expect(unsigned.status).toBe(401)
})

test('rejects a body of more than one megabyte', async () => {
  expect(await command({ body: `a=${'x'.repeat(1_100_000)}` })).toBeGreaterThanOrEqual(400)
})
