import { expect, test } from 'vitest'
import { formatCount, formatNumber } from '../../src/web/numbers.ts'

test('separates thousands', () => {
  expect([0, 999, 1_000, 12_345, 1_234_567].map(formatNumber)).toEqual([
    '0',
    '999',
    '1,000',
    '12,345',
    '1,234,567',
  ])
})

test('uses the plural for every count but one', () => {
  expect([0, 1, 2, 1_000].map((count) => formatCount(count, 'link'))).toEqual([
    '0 links',
    '1 link',
    '2 links',
    '1,000 links',
  ])
})
