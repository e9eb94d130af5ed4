import { expect, test } from 'vitest'
import { oneOf } from '../../../src/slack/input/one-of.ts'

const names = (number: number): string[] => Array.from({ length: number }, (_, at) => `n${at}`)

test.each([
  [['go'], '“go”'],
  [['go', 'to'], '“go” or “to”'],
  [['a', 'b', 'c'], '“a”, “b” or “c”'],
])('%j are chosen from as one says it', (choices, words) => {
  expect(oneOf(choices)).toBe(words)
})

test('of many the first are named, and never is a single one left unnamed', () => {
  expect(oneOf(names(11))).toMatch(/“n9” or “n10”$/)
  expect(oneOf(names(12))).toMatch(/“n9” or one of 2 more$/)
})

test('a hundred of the longest hostnames are still a sentence', () => {
  const hostnames = Array.from({ length: 100 }, () => 'a.'.repeat(126))
  expect(oneOf(hostnames).length).toBeLessThan(1000)
})
