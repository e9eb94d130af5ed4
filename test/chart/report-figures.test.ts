import { expect, test } from 'vitest'
import { changeText } from '../../src/chart/report-figures.ts'
import type { Report } from '../../src/contract/report.ts'

const SEPTEMBER = { previous_from: '2026-09-01', previous_to: '2026-09-30' }
const DECEMBER = { previous_from: '2026-12-31', previous_to: '2026-12-31' }
const TURN_OF_YEAR = { previous_from: '2026-12-28', previous_to: '2027-01-03' }

test.each([
  [112, 100, SEPTEMBER, '+12% compared with 100 in the 30 days before (Sep 1 – Sep 30, 2026)'],
  [1, 3000, DECEMBER, '-100% compared with 3,000 in the day before (Dec 31, 2026)'],
  [1004, 1000, SEPTEMBER, '+0.4% compared with 1,000 in the 30 days before (Sep 1 – Sep 30, 2026)'],
  [
    90,
    4,
    TURN_OF_YEAR,
    '+2,150% compared with 4 in the 7 days before (Dec 28, 2026 – Jan 3, 2027)',
  ],
  [7, 7, SEPTEMBER, 'The same as in the 30 days before (Sep 1 – Sep 30, 2026)'],
  [7, 0, DECEMBER, 'There were none in the day before (Dec 31, 2026)'],
  [0, 7, DECEMBER, '-100% compared with 7 in the day before (Dec 31, 2026)'],
  [0, 0, SEPTEMBER, 'There were also no clicks in the 30 days before (Sep 1 – Sep 30, 2026)'],
])('compares %d clicks with %d before', (people, before, period, text) => {
  const report = { total_people: people, previous_people: before, ...period } as Report
  expect(changeText(report)).toBe(text)
})
