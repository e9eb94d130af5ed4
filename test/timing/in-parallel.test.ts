import { expect, test } from 'vitest'
import { inParallel } from '../../src/timing/in-parallel.ts'

test('runs a limited number of tasks at a time, and keeps the order', async () => {
  let running = 0
  let most = 0
  const results = await inParallel([3, 1, 2, 5, 4], 2, async (number) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return number * 10
  })
  expect(results).toEqual([30, 10, 20, 50, 40])
  expect(most).toBe(2)
})
