import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clickFigures, figuresText } from '../../src/chart/click-figures.ts'
import { daysFrom } from '../support/click-days.ts'

test('adds up today, 7 days and 30 days, and finds the first day with most clicks', () => {
  const days = daysFrom('2027-01-01', [9, ...Array<number>(24).fill(1), 9, 1, 1, 1, 2, 3])
  const figures = clickFigures(days, 1_234)
  expect(figures).toEqual({
    today: 3,
    last7Days: 18,
    last30Days: 41,
    total: 1_234,
    peak: { date: '2027-01-01', people: 9, bots: 0 },
  })
  expect(figuresText(figures)).toBe(
    'Clicks by people: 3 today, 18 in 7 days, 41 in 30 days, 1,234 in total. Most on one day: 9, on Jan 1, 2027.',
  )
})

test('says that there are no clicks, and leaves out a total that is unknown', () => {
  expect(figuresText(clickFigures(daysFrom('2027-03-01', [0, 0]), undefined))).toBe(
    'Clicks by people: 0 today, 0 in 7 days, 0 in 30 days. No day of the chart has any.',
  )
})

test('shorter periods never have more clicks than longer ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 366 }), (people) => {
      const { today, last7Days, last30Days, peak } = clickFigures(
        daysFrom('2027-01-01', people),
        undefined,
      )
      expect(today).toBe(people.at(-1))
      expect(last7Days).toBeGreaterThanOrEqual(today)
      expect(last30Days).toBeGreaterThanOrEqual(last7Days)
      expect(peak?.people ?? 0).toBe(Math.max(...people))
    }),
  )
})
