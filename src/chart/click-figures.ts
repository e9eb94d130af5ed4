import type { LinkClicks } from '../contract/extension-calls.ts'
import { formatNumber } from '../web/numbers.ts'

/** Listed here, because Intl takes 20 ms to format its first date. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function shortMonth(date: string): string {
  return MONTHS[new Date(date).getUTCMonth()] ?? ''
}

/** `Mar 1` */
export function shortDate(date: string): string {
  return `${shortMonth(date)} ${new Date(date).getUTCDate()}`
}

/** `Mar 1, 2027` */
export function longDate(date: string): string {
  return `${shortDate(date)}, ${new Date(date).getUTCFullYear()}`
}

/** `Mar 1 – Mar 30, 2027` */
export function rangeText(from: string, to: string): string {
  if (from === to) return longDate(to)
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? shortDate(from) : longDate(from)} – ${longDate(to)}`
}

type ChartedClicks = Pick<LinkClicks, 'days' | 'all_time_people'>

export function clickFigures({ days, all_time_people: total }: ChartedClicks) {
  const last = (count: number): number =>
    days.slice(-count).reduce((sum, { people }) => sum + people, 0)
  return { today: last(1), last7Days: last(7), last30Days: last(30), total }
}

export function figuresText(clicks: ChartedClicks): string {
  const { today, last7Days, last30Days, total } = clickFigures(clicks)
  const parts = [
    `${formatNumber(today)} today`,
    `${formatNumber(last7Days)} in 7 days`,
    `${formatNumber(last30Days)} in 30 days`,
    `${formatNumber(total)} in total`,
  ]
  // The first of the days with the most clicks.
  const none = { date: '', people: 0 }
  const peak = clicks.days.reduce((most, day) => (day.people > most.people ? day : most), none)
  const most =
    peak === none
      ? 'No day of the chart has any.'
      : `Most on one day: ${formatNumber(peak.people)}, on ${longDate(peak.date)}.`
  return `Clicks by people: ${parts.join(', ')}. ${most}`
}
