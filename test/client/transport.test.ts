import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { NetworkError } from '../../src/port/failures.ts'
import {
  createTransport,
  type HttpRequest,
  type HttpResponse,
  type TransportOptions,
} from '../../src/client/transport.ts'
import { freePort, listenOnLoopback } from '../support/free-port.ts'
import { errorOf } from '../support/test-client.ts'

function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => server.close().closeAllConnections())
  return listenOnLoopback(server)
}

function send(
  url: string,
  { transport: options, ...request }: Partial<HttpRequest> & { transport?: TransportOptions } = {},
): Promise<HttpResponse> {
  const transport = createTransport(options)
  onTestFinished(() => transport.close())
  return transport.send({ method: 'GET', url, headers: {}, ...request })
}

test('reads only the beginning of a huge response', async () => {
  let sent = 0
  const url = await serve((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536
      response.once('drain', more)
    }
    more()
  })
  expect((await send(url, { transport: { maxBytes: 100_000 } })).text).toBe('x'.repeat(100_000))
  expect(sent).toBeLessThan(50_000_000)
})

test('reports that a service was not reached if it refuses the connection', async () => {
  const error = await errorOf(send(`http://127.0.0.1:${await freePort()}`))
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({
    message: 'The link service could not be reached (ECONNREFUSED).',
    code: 'ECONNREFUSED',
    retryable: true,
    mayHaveHappened: false,
    cause: expect.objectContaining({ code: 'ECONNREFUSED' }) as unknown,
  })
})

test.each<[string, () => Promise<string>, Parameters<typeof send>[1], object]>([
  [
    'the TLS handshake fails',
    async () => (await serve(() => undefined)).replace('http:', 'https:'),
    {},
    { name: 'NetworkError', mayHaveHappened: false },
  ],
  [
    'the connection is reset after the request',
    () =>
      serve((request) => void request.on('end', () => request.socket.resetAndDestroy()).resume()),
    { method: 'POST', body: Buffer.from('x') },
    { name: 'NetworkError', retryable: true, mayHaveHappened: true },
  ],
  [
    'the response breaks off',
    () =>
      serve((_request, response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('{"data":', () => response.destroy())
      }),
    {},
    { name: 'NetworkError', mayHaveHappened: true },
  ],
  [
    'the response does not start',
    () => serve(() => undefined),
    { transport: { headersTimeoutMs: 50 } },
    { name: 'TimeoutError', failure: { phase: 'headers' }, mayHaveHappened: true },
  ],
  [
    'the response stops in the middle',
    () => serve((_request, response) => void response.write('{')),
    { transport: { bodyTimeoutMs: 50 } },
    { name: 'TimeoutError', failure: { phase: 'body' } },
  ],
])('says whether the service was reached if %s', async (_what, start, request, error) => {
  await expect(send(await start(), request)).rejects.toMatchObject(error)
})

test('does not repeat a response that is not HTTP in the error', async () => {
  const url = await serve(({ socket }) => socket.end('SSH-2.0-hunter2\r\n'))
  const error = await errorOf(send(url))
  expect(error).toEqual(new NetworkError('NO_HTTP', { reached: true }))
  expect(error).not.toHaveProperty('cause')
})

test('times out at the deadline if the response trickles forever', async () => {
  const url = await serve((_request, response) => {
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  })
  const call = send(url, { signal: AbortSignal.timeout(60) })
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError', failure: { phase: 'total' } })
})

test('throws the caller’s own reason if the caller aborts', async () => {
  const caller = new AbortController()
  const reason = new Error('changed my mind')
  const url = await serve(() => caller.abort(reason))
  await expect(send(url, { signal: caller.signal })).rejects.toBe(reason)
})

test('throws an invalid header as our own mistake, without repeating its value', async () => {
  const call = send('http://127.0.0.1:1', { headers: { 'x-api-key': 'hunter2\n' } })
  await expect(call).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' })
  await expect(call).rejects.not.toThrow(/hunter2/)
})
