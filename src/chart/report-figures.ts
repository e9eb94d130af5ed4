import type { Report } from '../contract/report.ts'
import { lengthOf } from '../timing/days.ts'
import { formatCount, formatNumber } from '../web/numbers.ts'
import { longDate, rangeText } from './click-figures.ts'

export function keptText(firstStoredDay: string): string {
  return `Clicks before ${longDate(firstStoredDay)} are no longer kept`
}

/** `+12%`. @returns undefined if `before` is 0, because no percentage describes such a change */
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
