import { expect, onTestFinished, test, vi } from 'vitest'
import { backoffMs, parseRetryAfter, retry, type RetryPolicy } from '../../src/timing/retry.ts'

const BACKOFF = { firstMs: 250, longestMs: 4_000 }

/** An attempt that fails this many times, and the waits between. */
function setUp(failures: number, waitAfter: RetryPolicy['waitAfter']) {
  const waits: number[] = []
  const clock = { sleep: async (ms: number) => void waits.push(ms) }
  let attempts = 0
  const result = retry({ clock, waitAfter }, () => {
    if (++attempts <= failures) throw new Error(`failure ${attempts}`)
    return `attempt ${attempts}`
  })
  return { result, waits }
}

test('repeats an attempt until it succeeds, after the waits of the policy', async () => {
  const { result, waits } = setUp(3, (_error, failures) => [0, 100, 200][failures - 1])
  expect(await result).toBe('attempt 4')
  expect(waits).toEqual([100, 200])
})

test('throws the last error if the policy makes no further attempt', async () => {
  const { result, waits } = setUp(9, async (_error, failures) => (failures < 3 ? 50 : undefined))
  await expect(result).rejects.toThrow('failure 3')
  expect(waits).toEqual([50, 50])
})

test('throws the error of the policy', async () => {
  const explain = (error: unknown): never => {
    throw new Error('explained', { cause: error })
  }
  await expect(setUp(1, explain).result).rejects.toThrow('explained')
})

test('doubles the longest wait with each failure, up to the limit', () => {
  expect([1, 2, 3, 4, 5, 6, 61].map((failures) => backoffMs(BACKOFF, failures, 1))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ])
})

test('shortens a wait at random, by up to half', () => {
  expect([0, 0.5, 1].map((random) => backoffMs(BACKOFF, 3, random))).toEqual([500, 750, 1_000])
})

test.each([
  ['0', 0],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  ['999999999999', 365 * 86_400_000],
  ['Sun, 01 Mar 2037 12:00:00 GMT', 365 * 86_400_000],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads Retry-After “%s” as %s ms', (header, ms) => {
  expect(parseRetryAfter(header, Date.parse('2026-03-01T12:00:00Z'))).toBe(ms)
})

test('reads a date without a time zone as GMT, wherever the machine is', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('TZ', 'Asia/Tokyo')
  const now = Date.parse('2026-03-01T12:00:00Z')
  expect(parseRetryAfter('Sun Mar  1 12:00:30 2026', now)).toBe(30_000)
})
