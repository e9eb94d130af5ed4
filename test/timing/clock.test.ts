import { expect, test } from 'vitest'
import { systemClock, within } from '../../src/timing/clock.ts'
import { createFakeClock } from '../support/platform.ts'

test('returns the result of work that ends in time, and stops the timer', async () => {
  const clock = createFakeClock()
  expect(await within(clock, 2_000, Promise.resolve('done'))).toEqual({ value: 'done' })
  expect(clock.sleeping()).toEqual([])
})

test('returns nothing if the work takes longer, and lets the work go on', async () => {
  const clock = createFakeClock()
  const work = Promise.withResolvers<string>()
  const early = within(clock, 2_000, work.promise)
  await clock.endSleep(2_000)
  expect(await early).toBeUndefined()
  work.resolve('late')
  expect(await work.promise).toBe('late')
})

test('throws the error of work that fails in time, and stops the timer', async () => {
  const clock = createFakeClock()
  const work = Promise.reject(new Error('no'))
  await expect(within(clock, 2_000, work)).rejects.toThrow('no')
  expect(clock.sleeping()).toEqual([])
})

test('ignores the error of work that fails later', async () => {
  const clock = createFakeClock()
  const work = Promise.withResolvers<string>()
  const early = within(clock, 2_000, work.promise)
  await clock.endSleep(2_000)
  work.reject(new Error('no'))
  expect(await early).toBeUndefined()
})

test('rejects a sleep that is aborted', async () => {
  const controller = new AbortController()
  const sleep = systemClock.sleep(60_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleep).rejects.toThrow('enough')
})

test('rejects a sleep whose signal is aborted already', async () => {
  const sleep = systemClock.sleep(60_000, AbortSignal.abort(new Error('enough')))
  await expect(sleep).rejects.toThrow('enough')
})
