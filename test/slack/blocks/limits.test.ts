import { expect, test } from 'vitest'
import { cut } from '../../../src/slack/blocks/limits.ts'

test('what fits stays as it is', () => {
  expect(cut('abcde', 5)).toBe('abcde')
})

test('what does not fit ends in an ellipsis, within the limit', () => {
  expect(cut('abcdef', 5)).toBe('abcd…')
})

test('no character is cut in two', () => {
  expect(cut('ab🔗🔗', 4)).toBe('ab…')
  expect(cut('ab🔗🔗', 5)).toBe('ab🔗…')
})
