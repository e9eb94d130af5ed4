import { expect, test } from 'vitest'
import { systemClock, within } from '../../src/timing/clock.ts'
import { createFakeClock } from '../support/platform.ts'

test('returns the result of work that ends in time, and stops the timer', async () => {
  const clock = createFakeClock()
  expect(await within(clock, 2_000, Promise.resolve('done'))).toEqual({ value: 'done' })
  expect(clock.sleeping()).toEqual([])
})

test('returns nothing if the work takes longer, and lets the work go on', async () => {
  for (const fails of [false, true]) {
    const clock = createFakeClock()
    const work = Promise.withResolvers<string>()
    const early = within(clock, 2_000, work.promise)
    await clock.endSleep(2_000)
    if (fails) work.reject(new Error('no'))
    else work.resolve('late')
    expect(await early).toBeUndefined()
  }
})

test('throws the error of work that fails in time, and stops the timer', async () => {
  const clock = createFakeClock()
  const work = Promise.reject(new Error('no'))
  await expect(within(clock, 2_000, work)).rejects.toThrow('no')
  expect(clock.sleeping()).toEqual([])
})

test('rejects a sleep that is aborted, or was before it began', async () => {
  const controller = new AbortController()
  const sleep = systemClock.sleep(60_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleep).rejects.toThrow('enough')
  await expect(systemClock.sleep(60_000, controller.signal)).rejects.toThrow('enough')
})
