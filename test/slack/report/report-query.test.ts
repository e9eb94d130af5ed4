import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '../../../src/slack/block-kit/elements.ts'
import {
  aboutText,
  decodeQuery,
  encodeQuery,
  parseReportText,
} from '../../../src/slack/report/report-query.ts'
import { unicodeText } from '../../support/unicode-text.ts'

/** A Monday. */
const NOW = Date.parse('2026-11-23T23:59:00Z')

const THIS_MONTH = { from: '2026-11-01', to: '2026-11-23' }
const LAST_MONTH = { from: '2026-10-01', to: '2026-10-31' }
const TODAY = { from: '2026-11-23', to: '2026-11-23' }

test.each<[string, object]>([
  ['', THIS_MONTH],
  ['spring-sale', { ...THIS_MONTH, utm_campaign: 'spring-sale' }],
  ['“spring sale”', { ...THIS_MONTH, utm_campaign: 'spring sale' }],
  ['"last month"', { ...THIS_MONTH, utm_campaign: 'last month' }],
  ['"tag:print" last month', { ...LAST_MONTH, utm_campaign: 'tag:print' }],
  ['LAST   Month  tag:print', { ...LAST_MONTH, tag: ['print'] }],
  [
    'tag:print x tag:"Two words"',
    { ...THIS_MONTH, utm_campaign: 'x', tag: ['print', 'Two words'] },
  ],
  ['tags:b,a tag=B this week', { ...TODAY, tag: ['a', 'b'] }],
  ['#print last month', { ...LAST_MONTH, tag: ['print'] }],
  ['"#print"', { ...THIS_MONTH, utm_campaign: '#print' }],
  [
    'Source:Newsletter utm_medium=e-mail campaign:x',
    { ...THIS_MONTH, utm_campaign: 'x', utm_source: 'Newsletter', utm_medium: 'e-mail' },
  ],
  ['x last month campaign:x last month', { ...LAST_MONTH, utm_campaign: 'x' }],
  ['last7days', { ...THIS_MONTH, utm_campaign: 'last7days' }],
  ['sale today', { ...TODAY, utm_campaign: 'sale' }],
  ['Yesterday', { from: '2026-11-22', to: '2026-11-22' }],
  ['todays', { ...THIS_MONTH, utm_campaign: 'todays' }],
  ['2026-10', LAST_MONTH],
  ['October', LAST_MONTH],
  ['sale Oct 2026', { ...LAST_MONTH, utm_campaign: 'sale' }],
  ['2026-10-01 - 2026-10-31', LAST_MONTH],
  ['2026-10-01–2026-10-31', LAST_MONTH],
  ['2026-10-01-2026-10-31', LAST_MONTH],
  ['from 2026-10-01 to 2026-10-31 x', { ...LAST_MONTH, utm_campaign: 'x' }],
  ['2026-10-01..2026-10-31', LAST_MONTH],
  ['11/01 - 11/23', THIS_MONTH],
  ['11/1-11/23', THIS_MONTH],
  ['10/1/2026 – 10/31/2026', LAST_MONTH],
  ['Nov 1 – Nov 23', THIS_MONTH],
  ['November 1st - 23rd', THIS_MONTH],
  ['1 Nov – 23 Nov 2026', THIS_MONTH],
  ['Oct 1 - 31, 2026', LAST_MONTH],
  ['Oct – Nov', { from: '2026-10-01', to: '2026-11-23' }],
  ['11/01 - 11/30', THIS_MONTH],
  ['nov 24', { from: '2025-11-24', to: '2025-11-24' }],
  ['11/23', TODAY],
  ['12/20 - 01/05', { from: '2025-12-20', to: '2026-01-05' }],
  ['Dec 20 - Jan 5, 2026', { from: '2025-12-20', to: '2026-01-05' }],
  ['2025-12-20 - 01/05', { from: '2025-12-20', to: '2026-01-05' }],
  ['Feb 29', { from: '2024-02-29', to: '2024-02-29' }],
  ['february', { from: '2026-02-01', to: '2026-02-28' }],
  ['2025', { from: '2025-01-01', to: '2025-12-31' }],
  ['2026', { from: '2026-01-01', to: '2026-11-23' }],
  ['"2026-10"', { ...THIS_MONTH, utm_campaign: '2026-10' }],
  ['2026-sale', { ...THIS_MONTH, utm_campaign: '2026-sale' }],
  ['2026-10-sale', { ...THIS_MONTH, utm_campaign: '2026-10-sale' }],
  ['may-2027', { ...THIS_MONTH, utm_campaign: 'may-2027' }],
  ['mayor', { ...THIS_MONTH, utm_campaign: 'mayor' }],
  ['123456', { ...THIS_MONTH, utm_campaign: '123456' }],
  ['last 1 day sale', { ...TODAY, utm_campaign: 'sale' }],
])('parses %j', (text, expected) => {
  expect(parseReportText(text, NOW)).toEqual({ group_by: 'utm_source', limit: 10, ...expected })
})

test.each([
  ['spring sale', '“spring” and “sale” can’t both be the campaign of a report. Type a campaign'],
  ['last week this month', '“last week” and “this month” can’t both be the period of a report.'],
  ['source:a source:b', '“a” and “b” can’t both be the source of a report.'],
  ['last mnth', 'Backhalf doesn’t understand “last”.'],
  ['this', 'Backhalf doesn’t understand “this”.'],
  ['tag: print', 'Backhalf doesn’t understand “tag:”.'],
  ['#', 'Backhalf doesn’t understand “#”.'],
  ['tag:,', 'Backhalf doesn’t understand “tag:,”.'],
  ['source:""', 'Backhalf doesn’t understand “source:”.'],
  ['sorce:x', 'Backhalf doesn’t understand “sorce:x”. Did you mean source:? Type'],
  ['domain:go.example.com', 'Backhalf doesn’t understand “domain:go.example.com”. Type'],
  ['https://go.example.com/x', 'For a single link, use /shorten clicks.'],
  ['tag:a;b', '“a;b” can’t be a tag.'],
  ['tag:a,b,c,d,e,f,g,h,i,j,k', 'Use at most 10 tags.'],
  ['next month', '“next month”: This period hasn’t begun yet. Type a campaign'],
  ['2027-01', '“2027-01”: This period hasn’t begun yet.'],
  ['2026-11-24', '“2026-11-24”: This period hasn’t begun yet.'],
  ['tomorrow', 'This period hasn’t begun yet.'],
  ['2026-13', 'These are not days of the calendar.'],
  ['23/11', 'These are not days of the calendar.'],
  ['Feb 30', 'These are not days of the calendar.'],
  ['2026-11-05 - 2026-11-01', 'This period ends before it begins.'],
  ['2024-01 - 2026-01', 'A report covers 1 to 366 days.'],
  ['01.11.-23.11.', 'Backhalf doesn’t understand the date “01.11.-23.11.”. Type a campaign'],
  ['2026-11 -', 'Backhalf doesn’t understand the date “2026-11”.'],
  ['last 0 days', 'A report covers 1 to 366 days.'],
  ['last 367 days', 'A report covers 1 to 366 days.'],
  ['"x', 'A quote is never closed.'],
  ['x'.repeat(801), 'This is too long.'],
])('refuses %j', (text, message) => {
  expect(() => parseReportText(text, NOW)).toThrow(message)
})

test('any text is read or refused with a message, and a button holds its query unchanged', () => {
  const word = fc.constantFrom(
    'last',
    'month',
    'tag:',
    '"',
    'source:',
    ' ',
    ',',
    '\\',
    '\u0000',
    'ش',
  )
  const text = fc.oneof(
    unicodeText(),
    fc.array(word).map((words) => words.join('')),
  )
  fc.assert(
    fc.property(text, (typed) => {
      let query
      try {
        query = parseReportText(typed, NOW)
      } catch (error) {
        expect(error).toHaveProperty('issues')
        return
      }
      expect(encodeQuery(query).length).toBeLessThanOrEqual(LIMITS.buttonValue)
      expect(decodeQuery(encodeQuery(query))).toEqual(query)
    }),
  )
  const longest = `tag:${'ش'.repeat(40)} campaign:${'\\'.repeat(745)}`
  expect(encodeQuery(parseReportText(longest, NOW)).length).toBeLessThanOrEqual(LIMITS.buttonValue)
})

test('says what a report is about', () => {
  const text = 'tag:b,a "Spring sale" source:newsletter'
  const about = 'campaign “Spring sale”, source “newsletter”, tag “a”, tag “b”'
  expect(aboutText(parseReportText(text, NOW))).toBe(about)
  expect(aboutText(parseReportText('last year', NOW))).toBe('all links')
})
