import { expect, test } from 'vitest'
import { NetworkError } from '../../src/client/errors/network-error.ts'
import { RateLimitedError } from '../../src/client/errors/rate-limited-error.ts'
import { ResponseShapeError } from '../../src/client/errors/response-shape-error.ts'
import { withRetries, type Clock } from '../../src/client/retry.ts'

/** Time passes only by waiting. */
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

/** Fails with these errors, one a call, and then succeeds. */
function failing(...errors: Error[]): () => Promise<string> {
  return async () => {
    const error = errors.shift()
    if (error) throw error
    return 'done'
  }
}

const refused = () => new NetworkError('ECONNREFUSED', { reached: false })
const rateLimited = (ms: number) => new RateLimitedError({ status: 429, message: 'slow' }, ms)

test('failures that pass are waited out, ever longer', async () => {
  const { clock, waits } = fakeClock()
  const options = { clock, deadlineMs: 10_000, tries: 4 }
  expect(await withRetries(failing(refused(), refused(), refused()), options)).toBe('done')
  expect(waits).toEqual([250, 500, 1_000])
})

test('after the last try the last failure is thrown', async () => {
  const { clock, waits } = fakeClock()
  const last = refused()
  const call = withRetries(failing(refused(), last), { clock, deadlineMs: 10_000, tries: 2 })
  await expect(call).rejects.toBe(last)
  expect(waits).toEqual([250])
})

test('a failure that stays is thrown at once', async () => {
  const { clock, waits } = fakeClock()
  for (const error of [new ResponseShapeError(200, 'HTML'), new Error('a bug')]) {
    const call = withRetries(failing(error), { clock, deadlineMs: 10_000, tries: 4 })
    await expect(call).rejects.toBe(error)
  }
  expect(waits).toEqual([])
})

test('the wait is as long as the service asks, if that is longer than ours', async () => {
  const { clock, waits } = fakeClock()
  const call = failing(rateLimited(3_000), rateLimited(100))
  await withRetries(call, { clock, deadlineMs: 10_000, tries: 4 })
  expect(waits).toEqual([3_000, 500])
})

test('a wait that would go beyond the deadline is not begun', async () => {
  const { clock, waits } = fakeClock()
  const error = rateLimited(60_000)
  const call = withRetries(failing(error), { clock, deadlineMs: 10_000, tries: 4 })
  await expect(call).rejects.toBe(error)
  expect(waits).toEqual([])
})

test('the call gets a signal that aborts at the deadline', async () => {
  const { clock } = fakeClock()
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const call = withRetries(untilAborted, { clock, deadlineMs: 20, tries: 4 })
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a caller who gives up ends the wait for the next try', async () => {
  const caller = new AbortController()
  const { clock } = fakeClock()
  const sleep: Clock['sleep'] = async (_ms, signal) => {
    caller.abort(new Error('changed my mind'))
    signal.throwIfAborted()
  }
  const options = { clock: { ...clock, sleep }, deadlineMs: 10_000, tries: 4 }
  const call = withRetries(failing(refused()), { ...options, signal: caller.signal })
  await expect(call).rejects.toThrow('changed my mind')
})
