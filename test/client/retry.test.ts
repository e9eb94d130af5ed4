import { expect, test } from 'vitest'
import type { Clock } from '../../src/client/clock.ts'
import { NetworkError, RateLimitedError, ResponseShapeError } from '../../src/client/errors.ts'
import { backoffMs, parseRetryAfter, withRetries } from '../../src/client/retry.ts'

/** A clock that advances only while a call waits. */
function fakeClock() {
  const waits: number[] = []
  let now = 1_000_000
  const clock: Clock = {
    now: () => now,
    random: () => 1,
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
  }
  return { clock, waits }
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
const rateLimited = (ms: number) => new RateLimitedError({ status: 429, message: 'slow' }, ms)

test('retries temporary failures with increasing waits', async () => {
  const { clock, waits } = fakeClock()
  const options = { clock, deadlineMs: 10_000, maxAttempts: 4 }
  expect(await withRetries(failing(refused(), refused(), refused()), options)).toBe('done')
  expect(waits).toEqual([250, 500, 1_000])
})

test('throws the last error after the last attempt', async () => {
  const { clock, waits } = fakeClock()
  const last = refused()
  const call = withRetries(failing(refused(), last), { clock, deadlineMs: 10_000, maxAttempts: 2 })
  await expect(call).rejects.toBe(last)
  expect(waits).toEqual([250])
})

test('throws a permanent error without a retry', async () => {
  const { clock, waits } = fakeClock()
  for (const error of [new ResponseShapeError(200, 'HTML'), new Error('a bug')]) {
    const call = withRetries(failing(error), { clock, deadlineMs: 10_000, maxAttempts: 4 })
    await expect(call).rejects.toBe(error)
  }
  expect(waits).toEqual([])
})

test('waits as long as the service asks if that is longer than the backoff', async () => {
  const { clock, waits } = fakeClock()
  const call = failing(rateLimited(3_000), rateLimited(100))
  await withRetries(call, { clock, deadlineMs: 10_000, maxAttempts: 4 })
  expect(waits).toEqual([3_000, 500])
})

test('throws at once if the wait would exceed the deadline', async () => {
  const { clock, waits } = fakeClock()
  const error = rateLimited(60_000)
  const call = withRetries(failing(error), { clock, deadlineMs: 10_000, maxAttempts: 4 })
  await expect(call).rejects.toBe(error)
  expect(waits).toEqual([])
})

test('aborts the call at the deadline', async () => {
  const { clock } = fakeClock()
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const call = withRetries(untilAborted, { clock, deadlineMs: 20, maxAttempts: 4 })
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('stops waiting if the caller aborts', async () => {
  const caller = new AbortController()
  const { clock } = fakeClock()
  const sleep: Clock['sleep'] = async (_ms, signal) => {
    caller.abort(new Error('changed my mind'))
    signal?.throwIfAborted()
  }
  const options = { clock: { ...clock, sleep }, deadlineMs: 10_000, maxAttempts: 4 }
  const call = withRetries(failing(refused()), { ...options, signal: caller.signal })
  await expect(call).rejects.toThrow('changed my mind')
})

test('doubles the longest wait with each retry, up to four seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 60].map((retries) => backoffMs(retries, 1))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ])
})

test('shortens a wait at random, by up to half', () => {
  expect([0, 0.5, 1].map((random) => backoffMs(2, random))).toEqual([500, 750, 1_000])
})

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['999999999999', 3_600_000],
  ['Sun, 01 Mar 2037 12:00:00 GMT', 3_600_000],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads Retry-After “%s” as %s ms', (header, ms) => {
  expect(parseRetryAfter(header, Date.parse('2026-03-01T12:00:00Z'))).toBe(ms)
})
