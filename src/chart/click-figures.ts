import type { LinkClicks } from '../contract/extension-calls.ts'
import type { Report } from '../contract/report.ts'
import { lengthOf } from '../timing/days.ts'
import { formatCount, formatNumber } from '../web/numbers.ts'

/** Intl could name the months, but takes 20 ms to format its first date. */
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
  const inLastDays = (count: number): number =>
    days.slice(-count).reduce((sum, { people }) => sum + people, 0)
  return { today: inLastDays(1), last7Days: inLastDays(7), last30Days: inLastDays(30), total }
}

export function figuresText(clicks: ChartedClicks): string {
  const { today, last7Days, last30Days, total } = clickFigures(clicks)
  const parts = [
    `${formatNumber(today)} today`,
    `${formatNumber(last7Days)} in 7 days`,
    `${formatNumber(last30Days)} in 30 days`,
    `${formatNumber(total)} in total`,
  ]
  const most = Math.max(0, ...clicks.days.map(({ people }) => people))
  const peak = clicks.days.find(({ people }) => people > 0 && people === most)
  const peakText = peak
    ? `Most on one day: ${formatNumber(peak.people)}, on ${longDate(peak.date)}.`
    : 'No day of the chart has any.'
  return `Clicks by people: ${parts.join(', ')}. ${peakText}`
}

export function keptText(firstStoredDay: string): string {
  return `Clicks before ${longDate(firstStoredDay)} are no longer kept`
}

/** `+12%`, or undefined if `before` is 0. */
export function percentChange(people: number, before: number): string | undefined {
  if (before === 0) return undefined
  const change = people / before - 1
  return change.toLocaleString('en-US', {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(change) < 0.01 ? 1 : 0,
  })
}

/** `+12% compared with 1,100 in the 30 days before (Sep 1 – Sep 30, 2026)` */
export function changeText(report: Report): string {
  if (report.kept_since !== undefined) return keptText(report.kept_since)
  const { total_people: people, previous_people: before } = report
  const { previous_from: from, previous_to: to } = report
  const days = lengthOf({ from, to })
  const length = days === 1 ? 'day' : formatCount(days, 'day')
  const period = `in the ${length} before (${rangeText(from, to)})`
  if (before === 0) return `There were ${people === 0 ? 'also no clicks' : 'none'} ${period}`
  if (before === people) return `The same as ${period}`
  return `${percentChange(people, before)} compared with ${formatNumber(before)} ${period}`
}
