import { expect, test } from 'vitest'
import { createReadTurns } from '../../../src/service/api/owner-turns.ts'

test('runs two reads of an owner at a time, lets 50 wait, and refuses the next', async () => {
  const inTurn = createReadTurns()
  const read = Promise.withResolvers<string>()
  let running = 0
  const reads = Array.from({ length: 52 }, () =>
    inTurn('busy', () => {
      running += 1
      return read.promise
    }),
  )
  expect(running).toBe(2)
  expect(() => inTurn('busy', () => read.promise)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }),
  )
  expect(await inTurn('other', () => Promise.resolve('read'))).toBe('read')

  read.resolve('read')
  expect(await Promise.all(reads)).toEqual(reads.map(() => 'read'))
  expect(running).toBe(52)
  expect(await inTurn('busy', () => Promise.resolve('read again'))).toBe('read again')
})
