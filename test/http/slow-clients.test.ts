import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Timeouts } from '../../src/http/server.ts'
import { httpServer, listening } from '../support/http-server.ts'

const SHORT: Partial<Timeouts> = { headers: 100, request: 200, checkEvery: 20 }

/** Starts a server, and sends it the start of a request. */
async function sendStart(
  start: string,
  { timeouts = SHORT } = {},
): Promise<{
  received: () => string
  ended: Promise<unknown>
  connections: () => Promise<number>
}> {
  const { server } = httpServer({ timeouts })
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  server.post('/slack/events', () => 'ok')
  server.get('/large', () => 'x'.repeat(20_000_000))
  const url = new URL(await listening(server))
  // It never closes its side.
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
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
  await vi.waitUntil(async () => (await connections()) === 0, { timeout: 20_000 })
})

test('closes the connection of a client that does not take its response', async () => {
  const { connections } = await sendStart('GET /large HTTP/1.1\r\nhost: a\r\n\r\n', {
    timeouts: { idle: 200 },
  })
  await vi.waitUntil(async () => (await connections()) === 0, { timeout: 20_000 })
})

test('makes room for others if idle connections are as many as it accepts', async () => {
  const { server } = httpServer({ maxConnections: 3 })
  const { port, hostname } = new URL(await listening(server))
  const request = async (): Promise<string> => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
    return new Promise((resolve) => {
      socket.once('data', (data) => resolve(String(data))).once('close', () => resolve(''))
    })
  }
  for (let idle = 0; idle < 3; idle++) expect(await request()).toContain('200 OK')
  await request()
  await vi.waitUntil(async () => (await request()).includes('200 OK'), { timeout: 20_000 })
})
