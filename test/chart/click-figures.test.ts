import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clickFigures, figuresText } from '../../src/chart/click-figures.ts'
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
