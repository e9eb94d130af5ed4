import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emoji, formatDate, withEmoji } from '../../../../src/playground/page/mrkdwn/words.ts'

/** 2 March 2026, 14:05:09 UTC, a Monday. */
const at = Date.UTC(2026, 2, 2, 14, 5, 9) / 1000
const reader = { nowSeconds: at, locale: 'en-GB', zone: 'UTC' }

test.each([
  ['{date_long} at {time}', 'Monday, 2 March 2026 at 14:05'],
  ['{date_short}, {time}', '2 Mar 2026, 14:05'],
  ['{unheard_of}', '{unheard_of}'],
])('formats %s as %s', (format, shown) => {
  expect(formatDate(at, format, reader)).toBe(shown)
})

test.each([
  [0, 'now'],
  [-59, 'now'],
  [-60, '1 minute ago'],
  [-7200, '2 hours ago'],
  [-86_400, 'yesterday'],
  [-40 * 86_400, 'last month'],
  [-800 * 86_400, '2 years ago'],
  [7200, 'in 2 hours'],
])('calls %d seconds from now “%s”', (seconds, shown) => {
  expect(formatDate(at + seconds, '{ago}', reader)).toBe(shown)
})

test('replaces known emoji, and keeps the names of others', () => {
  expect(withEmoji(':tada: done :+1: :party_parrot:')).toBe('🎉 done 👍 :party_parrot:')
})

test('does not confuse an object’s own members with emoji', () => {
  expect(emoji('constructor')).toBe(':constructor:')
})

const SLACK = join(import.meta.dirname, '../../../../src/slack')

test('knows every emoji that the app uses', () => {
  const sources = globSync('**/*.ts', { cwd: SLACK }).map((file) => readFileSync(join(SLACK, file)))
  const used = [...sources.join('').matchAll(/[`'"]:([a-z_0-9]+):[ \\]/g)].map(
    ([, name = '']) => name,
  )
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => emoji(name) === `:${name}:`)).toEqual([])
})
