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

test('makes a new ID for each request, which its awaited calls see', async () => {
  const read = async (): Promise<string | undefined> => {
    await nextTurn()
    return currentRequestId()
  }
  const ids = await Promise.all([inRequest(read), inRequest(read)])
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/)
  expect(ids[0]).not.toBe(ids[1])
  expect(inRequest(currentRequestId, 'given')).toBe('given')
})

test('background work that a request starts keeps its ID', async () => {
  const { logger, lines } = recordingLogger()
  const tasks = createInFlightTasks(logger)
  const id = await inRequest(async () => {
    tasks.runInBackground(async () => {
      await nextTurn()
      throw new Error('it failed')
    }, 'a QR code could not be drawn')
    return currentRequestId()
  })
  await tasks.drained()
  expect(JSON.parse(lines.join())).toMatchObject({
    msg: 'a QR code could not be drawn',
    requestId: id,
  })
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
