import { expect, test } from 'vitest'
import { namingError, orList } from '../../../src/slack/platform/field-errors.ts'

test('namingError cuts a long value', () => {
  const disallowed = { name: 'utm_medium' as const, list: 'mediums' as const, allowed: ['email'] }
  const { message } = namingError({ ...disallowed, value: 'x'.repeat(3000) })
  expect(message.length).toBeLessThan(200)
})

const names = (number: number): string[] =>
  Array.from({ length: number }, (_, index) => `n${index}`)

test('names the first of many choices, and never leaves out just one', () => {
  expect(orList(['a', 'b', 'c'])).toBe('“a”, “b” or “c”')
  expect(orList(names(11))).toMatch(/“n9” or “n10”$/)
  expect(orList(names(12))).toMatch(/“n9” or one of 2 more$/)
})

test('cuts long choices so that a hundred of them still make a sentence', () => {
  const hostnames = Array.from({ length: 100 }, () => 'a.'.repeat(126))
  expect(orList(hostnames).length).toBeLessThan(1000)
})
