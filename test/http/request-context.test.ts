import formbody from '@fastify/formbody'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createInFlightTasks } from '../../src/http/in-flight-tasks.ts'
import {
  createRequestMemory,
  currentRequestId,
  inRequest,
  outsideRequests,
} from '../../src/http/request-context.ts'
import { httpServer, listening } from '../support/http-server.ts'
import { recordingLogger } from '../support/recording-logger.ts'

test('there is no ID outside of a request', async () => {
  expect(currentRequestId()).toBeUndefined()
  await inRequest(async () => expect(outsideRequests(currentRequestId)).toBeUndefined())
  expect(currentRequestId()).toBeUndefined()
})

test('creates a new ID for each request, which its background work keeps', async () => {
  const { logger, lines } = recordingLogger()
  const tasks = createInFlightTasks(logger)
  const start = async () => {
    tasks.runInBackground(() => nextTurn().then(() => Promise.reject(new Error('why'))), 'failed')
    await nextTurn()
    return currentRequestId()
  }
  const ids = await Promise.all([inRequest(start), inRequest(start)])
  await tasks.drained()
  expect(new Set(ids).size).toBe(2)
  expect(lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId)).toEqual(ids)
})

test('a memory lasts as long as its request, and belongs to it alone', async () => {
  const memory = createRequestMemory<number>()
  memory.set('a', 1)
  expect(memory.get('a')).toBeUndefined()
  await inRequest(async () => {
    memory.set('a', 2)
    await nextTurn()
    expect([memory.get('a'), memory.get('b')]).toEqual([2, undefined])
    expect(createRequestMemory().get('a')).toBeUndefined()
    expect(inRequest(() => memory.get('a'))).toBeUndefined()
  })
  expect(memory.get('a')).toBeUndefined()
})

/** A server that logs while it handles a request, and responds with the request's ID. */
async function startServer() {
  const { logger, lines } = recordingLogger()
  const { server } = httpServer({ logger })
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
  const url = await listening(server)
  lines.splice(0)
  return { url, logged: () => lines.map((line) => JSON.parse(line) as unknown) }
}

const BY_REQUEST = ['by the request', 'later, by another part']

test.each<[string, RequestInit, string[]]>([
  ['without a body', {}, BY_REQUEST],
  ['with a form', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }, BY_REQUEST],
  [
    'that can’t be read',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
    ['by the error handler'],
  ],
])('every line of a request %s has its ID', async (_name, init, messages) => {
  const { url, logged } = await startServer()
  const requestId = await (await fetch(url, init)).text()
  expect(logged()).toMatchObject(messages.map((msg) => ({ msg, requestId })))
})

test('gives each request an ID that no other process gives', async () => {
  const ids: string[] = []
  for (const { url } of [await startServer(), await startServer()]) {
    for (let at = 0; at < 3; at++) ids.push(await (await fetch(url)).text())
  }
  expect(new Set(ids).size).toBe(6)
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
})
