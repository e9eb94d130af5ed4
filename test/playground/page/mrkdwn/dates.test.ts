import { expect, test } from 'vitest'
import { ago, formatDate } from '../../../../src/playground/page/mrkdwn/dates.ts'

/** 2 March 2026, 14:05:09 UTC, a Monday. */
const at = Date.UTC(2026, 2, 2, 14, 5, 9) / 1000
const reader = { now: at + 90, locale: 'en-GB', zone: 'UTC' }

test.each([
  ['{date_num}', '02/03/2026'],
  ['{date}', '2 March 2026'],
  ['{date_short}', '2 Mar 2026'],
  ['{date_long}', 'Monday, 2 March 2026'],
  ['{time} and {time_secs}', '14:05 and 14:05:09'],
  ['{date_short_pretty} at {time}', 'today at 14:05'],
  ['{ago}', '1 minute ago'],
  ['{unheard_of}', '{unheard_of}'],
])('formats %s as %s', (format, shown) => {
  expect(formatDate(at, format, reader)).toBe(shown)
})

test('uses words only for near dates', () => {
  expect(formatDate(at - 5 * 86_400, '{date_pretty}', reader)).toBe('25 February 2026')
  expect(formatDate(at - 86_400, '{date_pretty}', reader)).toBe('yesterday')
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
  expect(ago(at + seconds, { ...reader, now: at })).toBe(shown)
})
