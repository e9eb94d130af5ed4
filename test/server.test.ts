import { createHmac } from 'node:crypto'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAppServer } from '../src/server.ts'
import { createQrLinks } from '../src/slack/qr-links.ts'
import { createKeyring } from '../src/workspaces/keyring.ts'
import { startApp, type TestApp } from './support/app.ts'
import { SIGNING_SECRET } from './support/workspace.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const get = (path: string): Promise<Response> => fetch(`${app.running.appUrl}${path}`)

test('it says that it lives, and that it is ready', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).status).toBe(200)
})

test.each([
  'https://go.example.com/x',
  `https://links.a-long-hostname.example.com/${'back-half-'.repeat(20)}`,
])('the QR image of %s is drawn, and may be cached for ever', async (text) => {
  const qrLinks = createQrLinks(createKeyring([Buffer.alloc(32, 1)]))
  const server = await createAppServer({
    logger: pino({ level: 'silent' }),
    trustProxy: undefined,
    qrLinks,
    slackListener: undefined,
    isReady: () => Promise.resolve(true),
  })
  const name = qrLinks.fileName({ text, color: '#123456' })
  const image = await server.inject(`/qr/${name}`)
  expect(image.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const { data, width, height } = PNG.sync.read(image.rawPayload)
  expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(text)
  await server.close()
})

test('any other is not found', async () => {
  expect((await get('/qr/AAAA.png')).status).toBe(404)
  expect((await get('/qr/..%2f..%2fetc%2fpasswd')).status).toBe(404)
})

/** A slash command as Slack signs it, with whatever is to be wrong about it. */
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

test('a request that Slack signed is taken', async () => {
  expect(await command()).toBe(200)
})

test('one that somebody else signed, or that is stale, is not', async () => {
  expect(await command({ secret: 'another' })).toBe(401)
  expect(await command({ time: Math.floor(Date.now() / 1000) - 301 })).toBe(401)
  const unsigned = await fetch(`${app.running.appUrl}/slack/events`, {
    method: 'POST',
    body: 'a=b',
  })
  expect(unsigned.status).toBe(401)
})

test('a body beyond a megabyte is not read to its end', async () => {
  expect(await command({ body: `a=${'x'.repeat(1_100_000)}` })).toBeGreaterThanOrEqual(400)
})

test('while the app starts or stops, whoever installs it is asked for a little patience', async () => {
  const server = await createAppServer({
    logger: pino({ level: 'silent' }),
    trustProxy: undefined,
    qrLinks: createQrLinks(createKeyring([Buffer.alloc(32, 1)])),
    slackListener: undefined,
    installer: () => undefined,
    isReady: () => Promise.resolve(false),
  })
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

test('with one bot token there is nothing to install', async () => {
  expect((await get('/slack/install')).status).toBe(404)
})
