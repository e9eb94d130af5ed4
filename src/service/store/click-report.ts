import { MAX_CLICK_DAYS, MAX_REFERRERS, type LinkClicks } from '../../contract/extension-calls.ts'
import { dayOf, type DayRange, daysOf, lengthOf } from '../../timing/days.ts'
import { countClicks } from './clicks.ts'
import type { ServiceContext } from './context.ts'
import { keptSince } from './daily-removal.ts'

/** Reads the clicks of a link in a range, by day and by referring host. */
export async function readClickReport(
  { db, longReads }: Pick<ServiceContext, 'db' | 'longReads'>,
  linkId: string,
  { from, to }: DayRange,
): Promise<LinkClicks> {
  // A link can have 73,200 rows of referrers in a year, so they are read outside of the event loop.
  const referrers = await longReads
    .selectFrom('referrers')
    // PostgreSQL returns a sum as text.
    .select((is) => ['host', is.cast<number>(is.fn.sum('people'), 'bigint').as('people')])
    .where('link_id', '=', linkId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('host')
    .orderBy('people', 'desc')
    .orderBy('host')
    .limit(MAX_REFERRERS)
    .execute()
  const clicks = await db
    .selectFrom('clicks')
    .selectAll()
    .where('link_id', '=', linkId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  // Clicks arrive meanwhile. The total is read last, so that it is never less than the clicks of the range.
  const all_time_people = await countClicks(db, linkId)
  const byDay = new Map(clicks.map((row) => [row.day, row]))
  const days = daysOf({ from, to }).map((date) => {
    const { people = 0, bots = 0 } = byDay.get(date) ?? {}
    return { date, people, bots }
  })
  const sum = (column: 'people' | 'bots'): number =>
    clicks.reduce((total, row) => total + row[column], 0)
  const total_people = sum('people')
  const total_bots = sum('bots')
  const removal = await keptSince(db, from)
  return { from, to, total_people, total_bots, all_time_people, days, referrers, ...removal }
}

export function rangeError(range: DayRange): string | undefined {
  const length = lengthOf(range)
  if (length < 1) return `Use a day that is not after ${range.to}.`
  return length > MAX_CLICK_DAYS ? `Ask for at most ${MAX_CLICK_DAYS} days.` : undefined
}

export function reportRange(
  query: { from?: string | undefined; to?: string | undefined },
  now: number,
): DayRange & { error?: string } {
  const today = dayOf(now)
  const { to = today, from = `${to.slice(0, 7)}-01` } = query
  const error = from > today ? `Use a day up to today, ${today} in UTC.` : rangeError({ from, to })
  return error === undefined ? { from, to } : { from, to, error }
}
