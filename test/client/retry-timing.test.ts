import { expect, test } from 'vitest'
import { backOffMs, parseRetryAfter } from '../../src/client/retry-timing.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

test('each wait is up to twice as long as the one before, until it is long enough', () => {
  expect([0, 1, 2, 3, 4, 5, 60].map((retries) => backOffMs(retries, 1))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ])
})

test('chance takes away up to half of a wait', () => {
  expect([0, 0.5, 1].map((random) => backOffMs(2, random))).toEqual([500, 750, 1_000])
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
])('Retry-After: %s is %s ms', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms)
})
