import { expect, test } from 'vitest'
import { createClock } from '../../../src/simulator/workspace/clock.ts'

test('timestamps grow even if the clock does not', () => {
  const clock = createClock(() => 1_700_000_000_123)
  expect([clock.ts(), clock.ts(), clock.ts()]).toEqual([
    '1700000000.123000',
    '1700000000.123001',
    '1700000000.123002',
  ])
})
