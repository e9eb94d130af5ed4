import { formatNumber } from '../web/numbers.ts'

/** The clicks on a link on a day. */
export interface DayClicks {
  /** `YYYY-MM-DD` in UTC. */
  date: string
  people: number
  bots: number
}

export type ClickFigures = ReturnType<typeof clickFigures>

const SHORT_DATE = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** A day without its year: `Mar 1`. */
export function shortDate(date: string): string {
  return SHORT_DATE.format(new Date(date))
}

/** A day as people read it: `Mar 1, 2027`. */
export function longDate(date: string): string {
  return LONG_DATE.format(new Date(date))
}

/** A range of days: `Mar 1 – Mar 30, 2027`. */
export function rangeText(from: string, to: string): string {
  if (from === to) return longDate(to)
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? shortDate(from) : longDate(from)} – ${longDate(to)}`
}

/**
 * Adds up the clicks of people.
 *
 * @param days every day up to today, oldest first
 * @param total the clicks on all days, including those before; undefined if unknown
 */
export function clickFigures(days: readonly DayClicks[], total: number | undefined) {
  const last = (count: number): number =>
    days.slice(-count).reduce((sum, { people }) => sum + people, 0)
  const most = days.reduce((max, { people }) => Math.max(max, people), 0)
  return {
    today: last(1),
    last7Days: last(7),
    last30Days: last(30),
    total,
    /** The first of the days with most clicks; undefined if no day has any. */
    peak: most === 0 ? undefined : days.find(({ people }) => people === most),
  }
}

/** Says in words what a chart shows, for people who can't see it. */
export function figuresText({ today, last7Days, last30Days, total, peak }: ClickFigures): string {
  const parts = [
    `${formatNumber(today)} today`,
    `${formatNumber(last7Days)} in 7 days`,
    `${formatNumber(last30Days)} in 30 days`,
    ...(total === undefined ? [] : [`${formatNumber(total)} in total`]),
  ]
  const most = peak
    ? `Most on one day: ${formatNumber(peak.people)}, on ${longDate(peak.date)}.`
    : 'No day of the chart has any.'
  return `Clicks by people: ${parts.join(', ')}. ${most}`
}
