import { expect, test } from 'vitest'
import { createWork } from '../../src/slack/work.ts'

test('drained waits for what is under way, also for what comes meanwhile', async () => {
  const work = createWork()
  const ends: string[] = []
  let finish: () => void = () => undefined
  const first = work.track(async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    ends.push('first')
    void work.track(async () => {
      await Promise.resolve()
      ends.push('second')
    })
  })
  const drained = work.drained().then(() => ends.push('drained'))
  finish()
  await first
  await drained
  expect(ends).toEqual(['first', 'second', 'drained'])
})

test('work that fails is over, and its failure is the caller’s', async () => {
  const work = createWork()
  await expect(work.track(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await work.drained()
})
