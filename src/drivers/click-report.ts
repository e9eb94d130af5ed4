import { MAX_REFERRERS, type LinkClicks } from '../contract/extension-calls.ts'

/**
 * Adds up clicks that a service counts by day.
 *
 * @param options.allTime the service's total, which can lag behind the clicks by day
 * @param options.today is the range of the report if there are no days
 */
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
