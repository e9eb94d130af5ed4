import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeText, clickFigures, figuresText } from '../../src/chart/click-figures.ts'
import type { Report } from '../../src/contract/report.ts'
import { daysFrom } from '../support/click-days.ts'

const clicksOn = (first: string, people: number[], all_time_people: number) => ({
  days: daysFrom(first, people),
  all_time_people,
})

test('adds up today, 7 days and 30 days, and finds the first day with most clicks', () => {
  const people = [9, ...Array<number>(24).fill(1), 9, 1, 1, 1, 2, 3]
  const clicks = clicksOn('2027-01-01', people, 1_234)
  expect(clickFigures(clicks)).toEqual({ today: 3, last7Days: 18, last30Days: 41, total: 1_234 })
  expect(figuresText(clicks)).toBe(
    'Clicks by people: 3 today, 18 in 7 days, 41 in 30 days, 1,234 in total. Most on one day: 9, on Jan 1, 2027.',
  )
})

test('says that there are no clicks', () => {
  expect(figuresText(clicksOn('2027-03-01', [0, 0], 0))).toBe(
    'Clicks by people: 0 today, 0 in 7 days, 0 in 30 days, 0 in total. No day of the chart has any.',
  )
})

test('shorter periods never have more clicks than longer ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 366 }), (people) => {
      const clicks = clicksOn('2027-01-01', people, 0)
      const { today, last7Days, last30Days } = clickFigures(clicks)
      expect(today).toBe(people.at(-1))
      expect(last7Days).toBeGreaterThanOrEqual(today)
      expect(last30Days).toBeGreaterThanOrEqual(last7Days)
      const most = Math.max(...people).toLocaleString('en-US')
      const peak = most === '0' ? 'No day' : `Most on one day: ${most}, on`
      expect(figuresText(clicks)).toContain(peak)
    }),
  )
})

const SEPTEMBER = { previous_from: '2026-09-01', previous_to: '2026-09-30' }
const DECEMBER = { previous_from: '2026-12-31', previous_to: '2026-12-31' }
const TURN_OF_YEAR = { previous_from: '2026-12-28', previous_to: '2027-01-03' }

test.each([
  [2250, 100, SEPTEMBER, '+2,150% compared with 100 in the 30 days before (Sep 1 – Sep 30, 2026)'],
  [1, 3000, DECEMBER, '-100% compared with 3,000 in the day before (Dec 31, 2026)'],
  [1004, 1000, SEPTEMBER, '+0.4% compared with 1,000 in the 30 days before (Sep 1 – Sep 30, 2026)'],
  [9, 4, TURN_OF_YEAR, '+125% compared with 4 in the 7 days before (Dec 28, 2026 – Jan 3, 2027)'],
  [7, 7, SEPTEMBER, 'The same as in the 30 days before (Sep 1 – Sep 30, 2026)'],
  [7, 0, DECEMBER, 'There were none in the day before (Dec 31, 2026)'],
  [0, 7, DECEMBER, '-100% compared with 7 in the day before (Dec 31, 2026)'],
  [0, 0, SEPTEMBER, 'There were also no clicks in the 30 days before (Sep 1 – Sep 30, 2026)'],
])('compares %d clicks with %d before', (people, before, period, text) => {
  const report = { total_people: people, previous_people: before, ...period } as Report
  expect(changeText(report)).toBe(text)
})
