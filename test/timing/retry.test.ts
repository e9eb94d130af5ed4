import { expect, test } from 'vitest'
import { backoffMs, parseRetryAfter } from '../../src/client/retry.ts'

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
  ['86400', 86_400_000],
  ['Tue, 03 Mar 2026 12:00:00 GMT', 2 * 86_400_000],
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
