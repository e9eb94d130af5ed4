import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseUnavailableError } from '../../src/database/errors.ts'
import { listen } from '../../src/http/server.ts'
import { closeGracefully } from '../../src/http/stopping.ts'
import { httpServer, listening } from '../support/http-server.ts'

test.each([
  ['works', () => Promise.resolve(true), 200, 'ok'],
  ['is not there yet', () => Promise.resolve(false), 503, 'not ready'],
  ['fails', () => Promise.reject(new Error('why')), 503, 'not ready'],
  ['is unavailable', () => Promise.reject(new DatabaseUnavailableError('why')), 503, 'not ready'],
])(
  'reports health if what the server depends on %s, and logs the reason for a failure',
  async (what, isReady, code, status) => {
    const { server, lines } = httpServer({ isReady })
    const ready = await server.inject('/readyz')
    const reason = what === 'is unavailable' && { reason: 'The database is not available: why' }
    expect({ code: ready.statusCode, body: ready.json<unknown>() }).toEqual({
      code,
      body: { status, ...reason },
    })
    expect((await server.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect(lines.join('').includes('why')).toBe(/fails|unavailable/.test(what))
  },
)

test('trusts X-Forwarded-Host only from a trusted proxy', async () => {
  const hosts = []
  for (const trustProxy of [undefined, '10.0.0.0/8', '127.0.0.1']) {
    const { server } = httpServer({ trustProxy })
    server.get('/host', ({ hostname }) => hostname)
    const headers = { host: 'inside', 'x-forwarded-host': 'go.example.com' }
    hosts.push((await server.inject({ url: '/host', headers })).body)
  }
  expect(hosts).toEqual(['inside', 'inside', 'go.example.com'])
})

test('names the variable that sets the port if the port is in use', async () => {
  const { server: other } = httpServer()
  const port = Number(new URL(await listening(other)).port)
  const { server } = httpServer()
  await expect(
    listen(server, { host: '127.0.0.1', port, portVariable: 'SERVICE_PORT' }),
  ).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is already in use. Choose another with SERVICE_PORT.`,
  )
})

test('leaves other errors of listening as they are', async () => {
  const { server } = httpServer()
  await expect(
    listen(server, { host: '192.0.2.1', port: 0, portVariable: 'PORT' }),
  ).rejects.toThrow('EADDRNOTAVAIL')
})

test('cuts a request that does not end within the grace period', async () => {
  const { server } = httpServer()
  const entered = Promise.withResolvers<undefined>()
  server.get('/stuck', () => {
    entered.resolve(undefined)
    return new Promise(() => undefined)
  })
  const response = fetch(`${await listening(server)}/stuck`)
  const cut = expect(response).rejects.toThrow('fetch failed')
  await entered.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const closed = closeGracefully(server, 2_000)
  vi.advanceTimersByTime(2_000)
  await cut
  await closed
})
