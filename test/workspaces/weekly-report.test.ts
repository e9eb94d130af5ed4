import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextReportAt } from '../../src/workspaces/settings.ts'

const OTHERS = { channel: 'C1', setBy: 'U1' }
const HOUR_MS = 3_600_000

/** The next reports after a time, in UTC. */
function nextReports(
  [day, hour, timeZone]: readonly [day: number, hour: number, timeZone: string],
  after: string,
  count: number,
): string[] {
  let at = Date.parse(after)
  return Array.from({ length: count }, () => {
    at = nextReportAt({ ...OTHERS, day, hour, timeZone }, at)
    return new Date(at).toISOString().slice(0, 16)
  })
}

test.each([
  [
    'keeps the hour when clocks go forward',
    [1, 9, 'Europe/Berlin'],
    '2026-03-20T00:00Z',
    ['2026-03-23T08:00', '2026-03-30T07:00', '2026-04-06T07:00'],
  ],
  [
    'is due an hour later if the chosen hour does not exist that day, and at the chosen hour again a week later',
    [7, 2, 'Europe/Berlin'],
    '2026-03-20T00:00Z',
    ['2026-03-22T01:00', '2026-03-29T01:00', '2026-04-05T00:00'],
  ],
  [
    'is due in the first of two equal hours, not in the second',
    [7, 2, 'Europe/Berlin'],
    '2026-10-24T00:00Z',
    ['2026-10-25T00:00', '2026-11-01T01:00'],
  ],
  [
    'is due today if the hour has not come yet',
    [1, 9, 'Pacific/Auckland'],
    '2026-06-21T20:59Z',
    ['2026-06-21T21:00', '2026-06-28T21:00'],
  ],
  [
    'is due in a week if the hour has just come',
    [1, 9, 'Asia/Kolkata'],
    '2026-06-22T03:30Z',
    ['2026-06-29T03:30'],
  ],
] as const)('%s', (_title, schedule, after, expected) => {
  expect(nextReports(schedule, after, expected.length)).toEqual(expected)
})

test('is always due within a week, on the chosen day at the chosen hour of local time', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const times = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2040, 0) })
  const choices = [fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 23 })] as const
  fc.assert(
    fc.property(...choices, zones, times, (day, hour, timeZone, after) => {
      const next = nextReportAt({ ...OTHERS, day, hour, timeZone }, after)
      expect(next).toBeGreaterThan(after)
      // A week in which clocks go back is an hour longer.
      expect(next - after).toBeLessThanOrEqual((7 * 24 + 1) * HOUR_MS)
      const clockAt = (time: number) => {
        const text = new Date(time).toLocaleString('sv-SE', { timeZone })
        const weekday = new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDay() || 7
        return { weekday, time: text.slice(11, 16) }
      }
      const chosen = `${String(hour).padStart(2, '0')}:00`
      const shown = clockAt(next)
      // Where the clocks skip the hour, it is never shown.
      const isSkipped = shown.time !== chosen && clockAt(next - 1).time < chosen
      expect(isSkipped || (shown.weekday === day && shown.time === chosen)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
