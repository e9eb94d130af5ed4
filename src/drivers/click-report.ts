import { z } from 'zod'
import { MAX_REFERRERS, type LinkClicks } from '../contract/extension-calls.ts'
import { addDays, dayOf, daysOf, type DayRange } from '../timing/days.ts'

/** `allTime` is the service's total. It can lag behind the clicks by day, so the larger number is shown. */
export function clickReport(
  days: LinkClicks['days'],
  referrers: LinkClicks['referrers'],
  { allTime = 0, today }: { allTime: number | undefined; today: string },
): LinkClicks {
  const people = days.reduce((sum, day) => sum + day.people, 0)
  return {
    from: days[0]?.date ?? today,
    to: days.at(-1)?.date ?? today,
    days,
    total_people: people,
    total_bots: days.reduce((sum, day) => sum + day.bots, 0),
    all_time_people: Math.max(allTime, people),
    referrers: referrers
      .toSorted((one, other) => other.people - one.people)
      .slice(0, MAX_REFERRERS),
  }
}

export const receivedVisit = z.object({
  referer: z.string().nullish(),
  date: z.string(),
  potentialBot: z.boolean().catch(false),
})

export type Visit = z.infer<typeof receivedVisit>

/** @param visits newest first. If `isIncomplete`, the oldest visits of the range are missing */
export function countVisits(
  visits: readonly Visit[],
  range: DayRange,
  { isIncomplete, allTime }: { isIncomplete: boolean; allTime: number | undefined },
): LinkClicks {
  const visitDay = ({ date }: Visit): string => dayOf(Date.parse(date))
  const oldest = visits.at(-1)
  // Some visits of the oldest day might be missing, so the report starts a day later.
  const from = isIncomplete && oldest ? addDays(visitDay(oldest), 1) : range.from
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
