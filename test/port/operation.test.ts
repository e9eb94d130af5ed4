import { expect, test, vi } from 'vitest'
import { createOperation, type Operation } from '../../src/port/operation.ts'
import { systemClock, unlessAborted, type Clock } from '../../src/timing/clock.ts'
import { createFakeClock } from '../support/platform.ts'
import { LinkServiceError, NetworkError, ResponseShapeError } from '../../src/port/failures.ts'

/** An operation with a clock that advances only while a call waits. */
function setUp({ deadlineMs = 10_000, maxRetries = 3 } = {}) {
  const waits: number[] = []
  let now = 1_000_000
  const clock: Clock = {
    now: () => now,
    random: () => 1,
    timeout: (ms) => systemClock.timeout(ms),
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
  }
  return { operation: createOperation({ clock, deadlineMs, maxRetries }), clock, waits }
}

/** A call that fails with each of these errors in turn and then succeeds. */
function failing(...errors: Error[]): () => Promise<string> {
  return async () => {
    const error = errors.shift()
    if (error) throw error
    return 'done'
  }
}

const refused = () => new NetworkError('ECONNREFUSED', { reached: false })
const rateLimited = (ms: number) =>
  new LinkServiceError('slow', { failure: { kind: 'busy', retryAfterMs: ms }, retryable: true })

/** Runs a call thirty times at once. @returns how many succeeded */
async function runThirty(operation: Operation, call: () => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => operation.run(call)))
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('retries temporary failures with increasing waits, and throws the last error after the last attempt', async () => {
  const { operation, waits } = setUp()
  expect(await operation.run(failing(refused(), refused(), refused()))).toBe('done')
  expect(waits).toEqual([250, 500, 1_000])
  const last = refused()
  await expect(setUp({ maxRetries: 1 }).operation.run(failing(refused(), last))).rejects.toBe(last)
})

test('throws a permanent error without a retry', async () => {
  const { operation, waits } = setUp()
  for (const error of [new ResponseShapeError(200, 'HTML'), new Error('a bug')]) {
    await expect(operation.run(failing(error))).rejects.toBe(error)
  }
  expect(waits).toEqual([])
})

test('waits as long as the service asks if that is longer than the backoff', async () => {
  const { operation, waits } = setUp()
  await operation.run(failing(rateLimited(3_000), rateLimited(100)))
  expect(waits).toEqual([3_000, 500])
})

test('throws at once if the wait would exceed the deadline', async () => {
  const { operation, waits } = setUp()
  const error = rateLimited(60_000)
  await expect(operation.run(failing(error))).rejects.toBe(error)
  expect(waits).toEqual([])
})

test('aborts the call at the deadline, and calls no more', async () => {
  const { operation } = setUp({ deadlineMs: 20 })
  const untilAborted = (signal: AbortSignal) => unlessAborted(signal, new Promise(() => undefined))
  await expect(operation.run(untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' })
  const late = vi.fn()
  const unsent = { name: 'TimeoutError', failure: { phase: 'unsent' }, mayHaveHappened: false }
  await expect(operation.run(late)).rejects.toMatchObject(unsent)
  expect(late).not.toHaveBeenCalled()
})

test('stops waiting if the caller aborts', async () => {
  const caller = new AbortController()
  const sleep: Clock['sleep'] = async (_ms, signal) => {
    caller.abort(new Error('changed my mind'))
    signal?.throwIfAborted()
  }
  const operation = createOperation({ clock: { ...setUp().clock, sleep } })
  const call = operation.run(failing(refused()), { signal: caller.signal })
  await expect(call).rejects.toThrow('changed my mind')
})

test('shares its retries among all of its calls', async () => {
  const { operation, waits } = setUp()
  const alwaysDown = vi.fn(() => Promise.reject(refused()))
  expect(await runThirty(operation, alwaysDown)).toBe(0)
  expect(alwaysDown).toHaveBeenCalledTimes(30 + 3)
  expect(waits).toHaveLength(3)
})

test('lets one call try again while the service refuses requests, and the others wait', async () => {
  const { operation, waits } = setUp()
  let attempts = 0
  const refusedTwice = (): Promise<string> =>
    ++attempts <= 32 ? Promise.reject(rateLimited(1_000)) : Promise.resolve('done')
  expect(await runThirty(operation, refusedTwice)).toBe(30)
  expect(attempts).toBe(30 + 2 + 30)
  expect(waits).toEqual([1_000, 1_000, 1_000])
})

test('makes no more calls to a service that goes on refusing them', async () => {
  const { operation, waits } = setUp()
  const alwaysRefused = vi.fn(() => Promise.reject(rateLimited(1_000)))
  expect(await runThirty(operation, alwaysRefused)).toBe(0)
  expect(waits).toEqual([1_000, 1_000, 1_000])
  await expect(operation.run(alwaysRefused)).rejects.toMatchObject({ failure: { kind: 'busy' } })
  expect(alwaysRefused).toHaveBeenCalledTimes(30 + 3)
})

/** Runs all work that does not wait for the clock. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('stops waiting for the call that tries again if its own caller aborts', async () => {
  const clock = createFakeClock()
  const operation = createOperation({ clock })
  const caller = new AbortController()
  const first = operation.run(failing(rateLimited(1_000)))
  const second = operation.run(failing(rateLimited(1_000)), { signal: caller.signal })
  await turn()
  caller.abort(new Error('changed my mind'))
  await expect(second).rejects.toThrow('changed my mind')
  await clock.endSleep(1_000)
  expect(await first).toBe('done')
})

test('stops waiting for the call that tries again at the deadline', async () => {
  const deadline = new AbortController()
  const clock = { ...createFakeClock(), timeout: () => deadline.signal }
  const operation = createOperation({ clock })
  const errors = [rateLimited(1_000), rateLimited(1_000)]
  const [first, second] = errors.map((error) => operation.run(failing(error)))
  await turn()
  deadline.abort(new DOMException('too late', 'TimeoutError'))
  await expect(second).rejects.toBe(errors[1])
  await clock.endSleep(1_000)
  await expect(first).rejects.toBe(errors[0])
})

test('makes no other call if the service limits requests during a retry', async () => {
  const clock = createFakeClock()
  const operation = createOperation({ clock })
  const first = operation.run(failing(refused(), rateLimited(1_000)))
  await clock.endSleep(250)
  await turn()
  const other = vi.fn(async () => 'other')
  const second = operation.run(other)
  await turn()
  expect(other).not.toHaveBeenCalled()
  await clock.endSleep(1_000)
  expect(await Promise.all([first, second])).toEqual(['done', 'other'])
})
