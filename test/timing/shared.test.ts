import { expect, test, vi } from 'vitest'
import { sharedFor } from '../../src/timing/shared.ts'

test.for([
  { ms: 60_000, when: 'while its result is valid', later: 1 },
  { ms: 0, when: 'only while it runs', later: 2 },
])('shares a call $when', async ({ ms, later }) => {
  const work = vi.fn(async () => work.mock.calls.length)
  const shared = sharedFor(ms, work)
  expect(await Promise.all([shared(), shared()])).toEqual([1, 1])
  expect(await shared()).toBe(later)
})

test('does not share a failure with later calls', async () => {
  const results = [Promise.reject(new Error('no database')), Promise.resolve('counted')]
  const shared = sharedFor(60_000, async () => results.shift())
  const both = await Promise.allSettled([shared(), shared()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await shared()).toBe('counted')
})
