import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { closeGracefully } from '../../src/http/stopping.ts'
import { httpServer, listening } from '../support/http-server.ts'

async function startServer(
  stopping?: AbortSignal,
  addRoutes: (server: FastifyInstance) => void = () => undefined,
): Promise<{ server: FastifyInstance; url: URL }> {
  const { server } = httpServer({ stopping })
  server.get('/page', () => 'page')
  // A handler can write the response itself.
  server.post('/raw', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).end('raw')
  })
  addRoutes(server)
  return { server, url: new URL(await listening(server)) }
}

interface Answer {
  status: number | undefined
  connection: string | undefined
  body: string
}

/** A client with one kept-alive connection. */
function client(url: URL): (path: string, method?: string) => Promise<Answer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path, method = 'GET') => {
    const sent = request(new URL(path, url), { agent, method }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { statusCode: status, headers } = response
    return { status, connection: headers.connection, body: await text(response) }
  }
}

async function connected(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('goes on responding while it announces that it will close', async () => {
  const stopping = new AbortController()
  const { url } = await startServer(stopping.signal)
  const send = client(url)
  expect(await send('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  stopping.abort()
  expect(await send('/readyz')).toEqual({
    status: 503,
    connection: 'close',
    body: '{"status":"stopping"}',
  })
  expect(await send('/healthz')).toMatchObject({ status: 200, connection: 'close' })
  expect(await send('/raw', 'POST')).toEqual({ status: 200, connection: 'close', body: 'raw' })
})

test('resets no kept-alive connection of 40 busy clients', async () => {
  const stopping = new AbortController()
  const { server, url } = await startServer(stopping.signal)
  const outcomes: Answer[] = []
  const clients = Array.from({ length: 40 }, async (_, at) => {
    const send = client(url)
    for (;;) {
      const answer = await (at % 2 === 0 ? send('/page') : send('/raw', 'POST'))
      outcomes.push(answer)
      if (outcomes.length === 400) stopping.abort()
      if (answer.connection === 'close') return
    }
  })
  await Promise.all(clients) // A reset connection would reject.
  await closeGracefully(server)
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
  expect(outcomes.filter(({ connection }) => connection === 'close')).toHaveLength(40)
})

test('responds to requests whose connections wait to be accepted when it closes', async () => {
  const { server, url } = await startServer()
  const sockets = await Promise.all(Array.from({ length: 40 }, () => connected(url)))
  const answers = sockets.map(async (socket) => {
    socket.write('GET /page HTTP/1.1\r\nhost: a\r\n\r\n')
    return text(socket) // A reset connection would reject.
  })
  const closed = closeGracefully(server)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  await closed
})

test('closes the connections of requests in flight with their responses', async () => {
  const finish = Promise.withResolvers<string>()
  const entered = Promise.withResolvers<undefined>()
  let inFlight = 0
  const { server, url } = await startServer(undefined, (created) => {
    created.get('/slow', () => {
      if (++inFlight === 10) entered.resolve(undefined)
      return finish.promise
    })
  })
  const answers = Array.from({ length: 10 }, () => client(url)('/slow'))
  await entered.promise
  const closed = closeGracefully(server)
  finish.resolve('done')
  for (const answer of await Promise.all(answers)) {
    expect(answer).toEqual({ status: 200, connection: 'close', body: 'done' })
  }
  await closed
  await expect(fetch(url)).rejects.toThrow()
})

test('responds to a request that arrives on a kept-alive connection just before it closes', async () => {
  const { server, url } = await startServer()
  const socket = await connected(url)
  const head = 'GET /page HTTP/1.1\r\nhost: a\r\n\r\n'
  socket.write(head)
  await once(socket, 'data')
  socket.write(head)
  const closed = closeGracefully(server)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer.toLowerCase()).toContain('connection: close')
  await closed
})
