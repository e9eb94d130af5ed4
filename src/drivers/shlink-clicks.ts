import { z } from 'zod'
import type { LinkClicks } from '../contract/extension-calls.ts'
import { addDays, dayOf, daysOf, type DayRange } from '../timing/days.ts'
import { clickReport } from './click-report.ts'

export const receivedVisit = z.object({
  referer: z.string().nullish(),
  date: z.string(),
  potentialBot: z.boolean().catch(false),
})

export type Visit = z.infer<typeof receivedVisit>

/**
 * Counts the visits of a link by day.
 *
 * @param visits newest first
 * @param options.isCut whether older visits of the range are missing
 */
export function countVisits(
  visits: readonly Visit[],
  range: DayRange,
  { isCut, allTime }: { isCut: boolean; allTime: number | undefined },
): LinkClicks {
  const visitDay = ({ date }: Visit): string => dayOf(Date.parse(date))
  const oldest = visits.at(-1)
  // The oldest day might be incomplete, so it is left out.
  const from = isCut && oldest ? addDays(visitDay(oldest), 1) : range.from
  const byDay = Map.groupBy(visits, visitDay)
  const days = daysOf({ from, to: range.to }).map((date) => {
    const onDay = byDay.get(date) ?? []
    const bots = onDay.filter(({ potentialBot }) => potentialBot).length
    return { date, people: onDay.length - bots, bots }
  })
  const people = visits.filter((visit) => !visit.potentialBot && visitDay(visit) >= from)
  const hosts = Map.groupBy(people, ({ referer }) => URL.parse(referer ?? '')?.host ?? '')
  hosts.delete('')
  const referrers = [...hosts].map(([host, { length }]) => ({ host, people: length }))
  return clickReport(days, referrers, { allTime, today: range.to })
}
