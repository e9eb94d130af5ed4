import { once } from 'node:events'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { BodyBudget } from '../../src/http/limits.ts'
import type { Timeouts } from '../../src/http/server.ts'
import { httpServer, listening } from '../support/http-server.ts'

const SHORT: Partial<Timeouts> = { headersMs: 100, requestMs: 200, checkEveryMs: 20 }

/** A connection to a server, which ends with the test. */
function connected(origin: string, options: Partial<TcpNetConnectOpts> = {}): Socket {
  const { port, hostname: host } = new URL(origin)
  const socket = connect({ port: Number(port), host, ...options }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Starts a server, and sends it the start of a request. */
async function sendStart(start: string, { timeouts = SHORT } = {}) {
  const { server } = httpServer({ timeouts })
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  server.post('/slack/events', () => 'ok')
  server.get('/large', () => 'x'.repeat(20_000_000))
  // It never closes its side.
  const socket = connected(await listening(server), { allowHalfOpen: true })
  await once(socket, 'connect')
  let received = ''
  if (!start.startsWith('GET /large')) socket.on('data', (chunk) => (received += String(chunk)))
  socket.write(start)
  return {
    received: () => received,
    ended: Promise.race([once(socket, 'end'), once(socket, 'close')]),
    connections: () =>
      new Promise((resolve, reject) =>
        server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  }
}

const BODY = 'POST /slack/events HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nstart'
const HEADERS = 'GET /healthz HTTP/1.1\r\nhost: a\r\n'

test.each([
  ['refuses a body that never ends', BODY, /^HTTP\/1\.1 408 /],
  ['refuses headers that never end', HEADERS, /^HTTP\/1\.1 408 /],
  ['waits for a request that never begins', '', /^/],
])('%s, and closes the connection', async (_what, start, answer) => {
  const { received, ended, connections } = await sendStart(start)
  await ended
  expect(received()).toMatch(answer)
  await expect.poll(connections).toBe(0)
})

test('closes the connection of a client that does not take its response', async () => {
  const { connections } = await sendStart('GET /large HTTP/1.1\r\nhost: a\r\n\r\n', {
    timeouts: { idleMs: 200 },
  })
  await expect.poll(connections).toBe(0)
})

test('makes room for others if idle connections are as many as it accepts', async () => {
  const { server } = httpServer({ maxConnections: 3 })
  const origin = await listening(server)
  const request = () => exchange(origin, `${HEADERS}\r\n`, /200 OK/)
  for (let idle = 0; idle < 3; idle++) expect(await request()).toContain('200 OK')
  await request()
  await expect.poll(request).toContain('200 OK')
})

/** Sends a request, or its start. @returns what is received, until `pattern` is, or until the connection is closed */
async function exchange(origin: string, request: string, pattern: RegExp): Promise<string> {
  const socket = connected(origin)
  socket.write(request)
  let received = ''
  return new Promise((resolve) => {
    socket.on('data', (data) => {
      received += String(data)
      if (pattern.test(received)) resolve(received)
    })
    socket.once('close', () => resolve(received))
  })
}

const post = (length: number, body = '', ...headers: string[]): string =>
  ['POST /body HTTP/1.1', 'host: a', `content-length: ${length}`, ...headers, '', body].join('\r\n')

/** A server that reads bodies, with a small budget. */
async function bodyServer(options: Parameters<typeof httpServer>[0] = {}) {
  const bodyBudget: BodyBudget = { bytes: 400_000, held: new Map() }
  const { server } = httpServer({ bodyBudget, ...options })
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  server.addHook('onRequest', async (request) => {
    const { owner } = request.headers
    if (owner !== undefined) request.bodyHolders = [`owner:${String(owner)}`]
  })
  server.post('/body', ({ body }) => ({ length: (body as string).length }))
  return { origin: await listening(server), held: bodyBudget.held }
}

const held = (bodies: Map<string, number>, bytes: number) =>
  expect.poll(() => bodies.get('all:') ?? 0).toBeGreaterThanOrEqual(bytes)

test('refuses a body of an owner whose unfinished bodies take their share, and accepts those of others', async () => {
  const { origin, held: bodies } = await bodyServer()
  const unfinished = exchange(origin, post(200_000, 'x'.repeat(80_000), 'owner: a'), /never/)
  await held(bodies, 80_000)
  const more = post(60_000, 'x'.repeat(60_000), 'owner: a')
  const refused = await exchange(origin, more, /Try again/)
  expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n/)
  const ofOther = more.replace('owner: a', 'owner: b')
  expect(await exchange(origin, ofOther, /length":/)).toContain(' 200 ')
  expect(await exchange(origin, `${HEADERS}\r\n`, /ok/)).toContain('200')
  void unfinished
})

test('refuses a body that outgrows its share while it arrives in chunks', async () => {
  const { origin, held: bodies } = await bodyServer()
  const chunk = `${(90_000).toString(16)}\r\n${'x'.repeat(90_000)}\r\n`
  const start = 'POST /body HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n'
  expect(await exchange(origin, start + chunk + chunk, /Try again/)).toContain(' 503 ')
  await expect.poll(() => bodies.size).toBe(0)
})

test('forgets the bytes of a body once its response is sent, or its connection is closed', async () => {
  const { origin, held: bodies } = await bodyServer()
  expect(await exchange(origin, post(9, 'x'.repeat(9)), /length":/)).toContain(' 200 ')
  const socket = connected(origin)
  socket.write(post(90_000, 'x'.repeat(50_000)))
  await held(bodies, 50_000)
  socket.destroy()
  await expect.poll(() => bodies.size).toBe(0)
})

test('closes the connection of a body whose first kilobyte takes too long', async () => {
  const { origin } = await bodyServer({ timeouts: { firstKilobyteMs: 100 } })
  expect(await exchange(origin, post(90_000, 'x'), /never/)).toMatch(/^HTTP\/1\.1 408 /)
})

test('closes the oldest connections of an address that opens too many, and none of this machine', async () => {
  const { server } = httpServer({ maxConnectionsPerAddress: 2 })
  const origin = await listening(server)
  const open = (localAddress: string) => connected(origin, { localAddress }).resume()
  const own = [1, 2, 3].map(() => open('127.0.0.1'))
  await Promise.all(own.map((socket) => once(socket, 'connect')))
  const [first, second, third] = [open('127.0.0.2'), open('127.0.0.2'), open('127.0.0.2')]
  await once(first, 'close')
  expect([second, third, ...own].map(({ closed }) => closed)).toEqual(Array(5).fill(false))
})

test('counts requests behind a trusted proxy by the address that it forwards', async () => {
  const { server } = httpServer({ maxConnectionsPerAddress: 1, trustProxy: '127.0.0.1' })
  const answer = Promise.withResolvers<string>()
  server.get('/slow', () => answer.promise)
  const origin = await listening(server)
  const get = (address: string) =>
    fetch(`${origin}/slow`, { headers: { 'x-forwarded-for': address } })
  const first = get('203.0.113.1')
  await expect.poll(async () => (await get('203.0.113.1')).status).toBe(503)
  const other = get('203.0.113.2')
  answer.resolve('done')
  expect([(await first).status, (await other).status]).toEqual([200, 200])
})
