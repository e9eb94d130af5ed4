import formbody from '@fastify/formbody'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpServer, listen } from '../../src/http/server.ts'
import { recordingLogger } from '../support/recording-logger.ts'

/** A server that logs lines while it works on a request, and responds with the request's ID. */
async function startServer() {
  const { logger, lines } = recordingLogger()
  const server = createHttpServer({
    logger,
    trustProxy: undefined,
    isReady: () => Promise.resolve(true),
  })
  onTestFinished(() => server.close())
  await server.register(formbody)
  server.all('/', async ({ id, log }) => {
    log.info('by the request')
    await nextTurn()
    logger.info('later, by another part')
    return id
  })
  server.setErrorHandler((_error, { id, log }, reply) => {
    log.info('by the error handler')
    return reply.send(id)
  })
  const url = await listen(server, { host: '127.0.0.1', port: 0, portVariable: 'PORT' })
  lines.splice(0)
  return { url, logged: () => lines.map((line) => JSON.parse(line) as unknown) }
}

test.each([
  ['without a body', {}],
  ['with a form', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }],
])('every line of a request %s has its ID', async (_name, init) => {
  const { url, logged } = await startServer()
  const requestId = await (await fetch(url, init)).text()
  expect(logged()).toMatchObject([
    { msg: 'by the request', requestId },
    { msg: 'later, by another part', requestId },
  ])
})

test('so has a line about a body that can’t be read', async () => {
  const { url, logged } = await startServer()
  const headers = { 'content-type': 'application/json' }
  const requestId = await (await fetch(url, { method: 'POST', headers, body: '{' })).text()
  expect(logged()).toMatchObject([{ msg: 'by the error handler', requestId }])
})

test('gives each request an ID that no other process gives', async () => {
  const ids: string[] = []
  for (const { url } of [await startServer(), await startServer()]) {
    for (let at = 0; at < 3; at++) ids.push(await (await fetch(url)).text())
  }
  expect(new Set(ids).size).toBe(6)
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
})
