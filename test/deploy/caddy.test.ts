import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { closeGracefully } from '../../src/http/stopping.ts'
import { adminJson } from '../support/admin.ts'
import { caddySkipped, startCaddy } from '../support/caddy.ts'
import { freePort } from '../support/free-port.ts'
import { httpServer } from '../support/http-server.ts'
import { startService, type RunningService } from '../support/service.ts'
import { codeIn, postForm } from '../support/service-calls.ts'

/* deploy/Caddyfile in a real Caddy, in front of the real link service. */

const DOMAIN = 'go.example.com'

describe.skipIf(caddySkipped)('Caddy', () => {
  let service: RunningService
  let caddy: Awaited<ReturnType<typeof startCaddy>>
  let appPort: number
  const app = createServer((_request, response) => response.end('the app'))

  beforeAll(async () => {
    service = await startService({ publicUrl: `https://${DOMAIN}`, trustProxy: '127.0.0.1' })
    app.listen(0, '127.0.0.1')
    await once(app, 'listening')
    appPort = (app.address() as AddressInfo).port
    caddy = await startCaddy(DOMAIN, {
      app: appPort,
      service: Number(new URL(service.baseUrl).port),
    })
    return async () => {
      await caddy.stop()
      app.closeAllConnections()
      app.close()
      await service.close()
    }
  })

  const admin = (...argv: string[]) =>
    adminJson({ databaseUrl: service.databaseUrl, baseUrl: `https://${DOMAIN}` }, ...argv)
  const refusal = (url: string, { open } = caddy) =>
    open(url).then(
      ({ status }) => `answered ${status}`,
      (error: unknown) => String(error),
    )
  /** The error that the client sees if there is no certificate. */
  const REFUSED = 'alert internal error'

  test('a new domain record works at once, with https', async () => {
    expect(await refusal('https://s.example.com/spring')).toContain(REFUSED)
    await admin('domains', 'add', 's.example.com')
    const link = { destination_url: 'https://example.com/sale', back_half: 'spring' }
    expect(codeIn(await postForm(service, { ...link, domain: 's.example.com' }))).toBe('200')
    const { status, headers } = await caddy.open('https://s.example.com/spring')
    expect([status, headers.location]).toEqual([302, 'https://example.com/sale'])
    const url = `http://127.0.0.1:${caddy.httpPort}/spring`
    const insecure = await fetch(url, { redirect: 'manual' })
    const location = insecure.headers.get('location')
    expect([insecure.status, location]).toEqual([308, 'https://127.0.0.1/spring'])
  })

  test('gets no certificate for a domain record that was removed', async () => {
    await admin('domains', 'add', 'removed.example.com')
    await admin('domains', 'remove', 'removed.example.com')
    expect(await refusal('https://removed.example.com/')).toContain(REFUSED)
  })

  test('only DOMAIN leads to the app', async () => {
    await admin('domains', 'add', 'links.example.com')
    for (const path of [
      '/slack/events',
      '/slack/privacy',
      '/slack/',
      '/qr/a.png',
      '/chart/a.png',
    ]) {
      expect((await caddy.open(`https://go.example.com${path}`)).body).toBe('the app')
      const elsewhere = await caddy.open(`https://links.example.com${path}`)
      expect([elsewhere.status, elsewhere.body.includes('the app')]).toEqual([404, false])
    }
  })

  test('Slack gets responses while the link service is down, but no new certificate is issued', async () => {
    const alone = await startCaddy(DOMAIN, { app: appPort, service: await freePort() })
    onTestFinished(() => alone.stop())
    expect((await alone.open('https://go.example.com/slack/events')).body).toBe('the app')
    expect(await refusal('https://s.example.com/', alone)).toContain(REFUSED)
  })

  test.each([
    '/tls-allowed',
    '/tls-allowed/',
    '/TLS-Allowed',
    '/%74ls-allowed',
    '/./tls-allowed',
    '//tls-allowed',
  ])('only Caddy itself can ask %s', async (path) => {
    for (const headers of [
      {},
      { host: '127.0.0.1:3001' },
      { host: new URL(service.baseUrl).host },
      { connection: 'close, x-forwarded-for, x-forwarded-host, x-forwarded-proto' },
    ]) {
      const url = `https://go.example.com${path}?domain=go.example.com`
      expect((await caddy.open(url, { headers })).status).toBe(404)
    }
    // Caddy itself can ask.
    const asked = await fetch(`${service.baseUrl}/tls-allowed?domain=go.example.com`)
    expect(asked.status).toBe(200)
  })

  test.each([
    ['a command of Slack', '/slack/events', Buffer.from('command=%2Fshorten')],
    ['a large import', '/dashboard/import', Buffer.alloc(12_000_000, 'x')],
  ])('%s waits while Backhalf restarts, and arrives once and whole', async (_, path, body) => {
    const [app, service] = [await freePort(), await freePort()]
    const { open, log, ...alone } = await startCaddy(DOMAIN, { app, service })
    onTestFinished(() => alone.stop())
    const post = { method: 'POST', headers: { 'content-length': body.length }, body }
    const answers = [1, 2].map(() => open(`https://${DOMAIN}${path}`, post))
    await expect.poll(() => log().split('connection refused').length).toBeGreaterThan(4)

    const received: [method: string | undefined, url: string | undefined, body: Buffer][] = []
    const server = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        received.push([request.method, request.url, bytes])
        response.end('answer')
      })
    }).listen(path.startsWith('/slack/') ? app : service, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')

    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.body]).toEqual([200, 'answer'])
    }
    const posts = received.filter(([method]) => method === 'POST')
    const arrived = [path, true]
    expect(posts.map(([, url, bytes]) => [url, bytes.equals(body)])).toEqual([arrived, arrived])
    const others = received.filter(([method]) => method !== 'POST')
    expect(others).toEqual(others.map(() => ['GET', '/healthz', Buffer.alloc(0)]))
  })

  test('a command that arrives while Backhalf stops waits for the next process', async () => {
    const [app, service] = [await freePort(), await freePort()]
    const { open, log, ...alone } = await startCaddy(DOMAIN, { app, service })
    onTestFinished(() => alone.stop())
    const send = () => open(`https://${DOMAIN}/slack/events`, { method: 'POST' })
    const start = async (name: string, beforeClosing = Promise.resolve()) => {
      const { server } = httpServer()
      server.post('/slack/events', () => name)
      server.addHook('preClose', () => beforeClosing)
      await server.listen({ port: app, host: '127.0.0.1' })
      return server
    }
    const asked = Promise.withResolvers<undefined>()
    const old = await start('old', asked.promise)
    expect((await send()).body).toBe('old')
    const closed = closeGracefully(old)
    const answer = send()
    await expect.poll(log).toContain('"error":"EOF"')
    asked.resolve(undefined)
    await closed
    await start('new')
    expect((await answer).body).toBe('new')
  })
})
