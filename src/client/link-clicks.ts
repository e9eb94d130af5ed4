import { z } from 'zod'
import { ResponseShapeError } from './errors.ts'
import { readJson } from './responses.ts'
import type { HttpResponse } from './transport.ts'

/** A range of UTC days, `YYYY-MM-DD`, both included. By default, the service's: the last 30 days. */
export interface ClickRange {
  from?: string | undefined
  to?: string | undefined
}

/** A link's clicks: by people, and by programs (bots). */
export interface LinkClicks {
  from: string
  to: string
  /** In the range. */
  totalPeople: number
  totalBots: number
  /** Since the link was made, if the service says. */
  allTimePeople: number | undefined
  /** Every day of the range, oldest first. */
  days: { date: string; people: number; bots: number }[]
  /** The hosts that most people came from, most first. */
  referrers: { host: string; people: number }[]
}

const DAY_MS = 86_400_000
const MAX_DAYS = 366
const MAX_REFERRERS = 10

const count = z.int().nonnegative()
const date = z.iso.date()

const receivedClicks = z.object({
  from: date.optional().catch(undefined),
  to: date.optional().catch(undefined),
  total_people: count.optional().catch(undefined),
  total_bots: count.optional().catch(undefined),
  all_time_people: count.optional().catch(undefined),
  days: z.array(z.object({ date, people: count, bots: count.catch(0) })).max(MAX_DAYS),
  referrers: z
    .array(z.object({ host: z.string().min(1).max(253), people: count }))
    .max(1_000)
    .catch([]),
})

/** `data.clicks`, or as other services may send it. */
const envelope = z
  .object({ data: z.object({ clicks: receivedClicks }) })
  .transform(({ data }) => data.clicks)
  .or(z.object({ data: receivedClicks }).transform(({ data }) => data))
  .or(z.object({ clicks: receivedClicks }).transform(({ clicks }) => clicks))
  .or(receivedClicks)

/**
 * Reads a link's clicks. Days that the answer leaves out have none.
 *
 * @throws ResponseShapeError if there are no days, or too many
 */
export function readClicks(response: HttpResponse, asked: ClickRange): LinkClicks {
  const parsed = envelope.safeParse(readJson(response))
  if (!parsed.success) throw new ResponseShapeError(response.status, 'JSON without clicks by day')
  const received = parsed.data
  const byDate = new Map(received.days.map((day) => [day.date, day]))
  const dates = [...byDate.keys()].sort()
  const from = received.from ?? asked.from ?? dates[0]
  const to = received.to ?? asked.to ?? dates.at(-1)
  const length = from && to ? (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 : 0
  if (!from || !to || length < 1 || length > MAX_DAYS) {
    throw new ResponseShapeError(response.status, 'clicks of an impossible range of days')
  }
  const days = Array.from({ length }, (_, index) => {
    const day = new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10)
    return byDate.get(day) ?? { date: day, people: 0, bots: 0 }
  })
  return {
    from,
    to,
    totalPeople: received.total_people ?? sum(days.map(({ people }) => people)),
    totalBots: received.total_bots ?? sum(days.map(({ bots }) => bots)),
    allTimePeople: received.all_time_people,
    days,
    referrers: [...received.referrers]
      .sort((one, other) => other.people - one.people)
      .slice(0, MAX_REFERRERS),
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}
