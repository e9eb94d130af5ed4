import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createInFlightTasks } from '../../src/http/in-flight-tasks.ts'
import {
  createRequestMemory,
  currentRequestId,
  inRequest,
  outsideRequests,
} from '../../src/http/request-context.ts'

test('there is no ID outside of a request', async () => {
  expect(currentRequestId()).toBeUndefined()
  await inRequest(async () => expect(outsideRequests(currentRequestId)).toBeUndefined())
  expect(currentRequestId()).toBeUndefined()
})

test('makes a new ID for each request, which its awaited calls see', async () => {
  const read = async (): Promise<string | undefined> => {
    await new Promise((resolve) => setImmediate(resolve))
    return currentRequestId()
  }
  const ids = await Promise.all([inRequest(read), inRequest(read)])
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/)
  expect(ids[0]).not.toBe(ids[1])
  expect(inRequest(currentRequestId, 'given')).toBe('given')
})

test('background work that a request starts keeps its ID', async () => {
  const logged: unknown[] = []
  const logger = pino(
    { mixin: () => ({ requestId: currentRequestId() }) },
    { write: (line) => void logged.push(JSON.parse(line)) },
  )
  const tasks = createInFlightTasks(logger)
  const id = await inRequest(async () => {
    tasks.runInBackground(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('it failed')
    }, 'a QR code could not be drawn')
    return currentRequestId()
  })
  await tasks.drained()
  expect(logged).toMatchObject([{ msg: 'a QR code could not be drawn', requestId: id }])
})

test('a memory lasts as long as its request, and belongs to it alone', async () => {
  const memory = createRequestMemory<number>()
  memory.set('a', 1)
  expect(memory.get('a')).toBeUndefined()
  await inRequest(async () => {
    memory.set('a', 2)
    await new Promise((resolve) => setImmediate(resolve))
    expect([memory.get('a'), memory.get('b')]).toEqual([2, undefined])
    expect(createRequestMemory().get('a')).toBeUndefined()
    expect(inRequest(() => memory.get('a'))).toBeUndefined()
  })
  expect(memory.get('a')).toBeUndefined()
})
