import { createHash } from 'node:crypto'
import { timeOf, type LinkDetails } from '../../port/links.ts'
import { DAY_MS, dayOf } from '../../timing/days.ts'
import type { Alert, AlertEvent, AlertMemory } from '../../workspaces/alerts.ts'

export interface Figures {
  /** The clicks of each day, the oldest first and today last. Absent if the service has only totals. */
  days?: readonly number[]
  total: number
}

export interface Seen {
  figures?: Figures
  links?: readonly LinkDetails[]
  deleted?: readonly string[]
  newest?: number
  total?: number | undefined
}

interface Outcome {
  memory: AlertMemory
  events: AlertEvent[]
}

const AVERAGE_DAYS = 14

export const REMEMBERED_LINKS = 300
const REMEMBERED_TOLD = 1_000

/** Compares what was read with what an alert remembers. Returns the new events, and the alert's new memory. */
export function evaluate(alert: Alert, memory: AlertMemory, seen: Seen, now: number): Outcome {
  const { condition, number = 0 } = alert
  if (seen.figures) return evaluateClicks(alert, memory, seen.figures, now)
  if (condition === 'changes') return evaluateChanges(memory, seen)
  const { links = [] } = seen
  const found = links.flatMap((link): [key: string, event: AlertEvent][] => {
    if (condition === 'dead') {
      return link.destination_status === 'dead' && link.enabled !== false
        ? [[`${link.name} ${shortHash(link.destination_url)}`, { what: 'dead', link: named(link) }]]
        : []
    }
    const at = timeOf(link.expires_at)
    const isSoon = link.enabled !== false && at > now && at <= now + number * DAY_MS
    return isSoon ? [[`${link.name} ${at}`, { what: 'expires', link: named(link), at }]] : []
  })
  const isNew = ([key]: [string, AlertEvent]): boolean => !memory.told.includes(key)
  // A problem that is gone is forgotten, so that the alert reports it again if it comes back.
  const told = found.map(([key]) => key).slice(-REMEMBERED_TOLD)
  return { memory: { ...memory, told }, events: found.filter(isNew).map(([, event]) => event) }
}

function evaluateClicks(
  { condition, number = 0 }: Alert,
  memory: AlertMemory,
  { days: counted, total }: Figures,
  now: number,
): Outcome {
  const today = dayOf(now)
  const totals = counted ? [] : withTotal(memory.totals, today, total)
  const days = counted ?? differences(totals)
  const clicks = days.at(-1) ?? 0
  const reportOnce = (isMet: boolean, key: string, event: AlertEvent): Outcome => ({
    memory: {
      ...memory,
      totals,
      told: isMet ? [key] : condition === 'no_clicks' ? [] : memory.told,
    },
    events: isMet && !memory.told.includes(key) ? [event] : [],
  })
  switch (condition) {
    case 'reaches':
      return reportOnce(total >= number, 'reached', { what: 'reached', clicks: total })
    case 'in_a_day':
      return reportOnce(clicks > number, today, { what: 'busy', clicks })
    case 'times_average': {
      const before = days.slice(-1 - AVERAGE_DAYS, -1)
      const sum = before.reduce((subtotal, count) => subtotal + count, 0)
      const isKnown = before.length === AVERAGE_DAYS && sum >= AVERAGE_DAYS
      const isBusy = isKnown && clicks * AVERAGE_DAYS >= number * sum
      return reportOnce(isBusy, today, { what: 'above_average', clicks })
    }
    default: {
      const last = days.slice(-1 - number)
      const isSilent = last.length > number && last.every((count) => count === 0) && total > 0
      return reportOnce(isSilent, 'silent', { what: 'silent' })
    }
  }
}

/** Enough for the condition `no_clicks`, which can look at today and the 28 days before. */
const KEPT_TOTALS = 30

type Totals = AlertMemory['totals']

function withTotal(totals: Totals, today: string, total: number): Totals {
  const yesterday = dayOf(Date.parse(today) - DAY_MS)
  const earlier = totals.filter(([day]) => day < today)
  // If no total was read yesterday, today's clicks are counted from the first total that is read today.
  const start: Totals = earlier.at(-1)?.[0] === yesterday ? [] : [[yesterday, total]]
  return [...earlier, ...start, [today, total] satisfies Totals[number]].slice(-KEPT_TOTALS)
}

/**
 * Computes the clicks of each day from totals. If no total was read on some days, all clicks since the last reading
 * count toward the last of these days, so that no link seems to have been without clicks for longer than it was.
 */
function differences(totals: Totals): number[] {
  return totals.slice(1).flatMap(([day, total], index) => {
    const [dayBefore = day, totalBefore = 0] = totals[index] ?? []
    const daysWithoutTotal = (Date.parse(day) - Date.parse(dayBefore)) / DAY_MS - 1
    return [...Array<number>(daysWithoutTotal).fill(0), Math.max(0, total - totalBefore)]
  })
}

function evaluateChanges(
  memory: AlertMemory,
  { links = [], deleted = [], newest = 0, total }: Seen,
): Outcome {
  const events: AlertEvent[] = []
  const seen = new Map(memory.seen?.map((link) => [link[0], link]))
  for (const name of deleted) {
    events.push({ what: 'deleted', link: { name, shortUrl: seen.get(name)?.[1] ?? '' } })
    seen.delete(name)
  }
  for (const link of links.toReversed()) {
    const { name, shortlink_url: shortUrl, enabled = true } = link
    const now: SeenLink = [name, shortUrl, shortHash(link.destination_url), enabled]
    const what = memory.seen && detectChange(seen.get(name), now, link, memory.newest)
    if (what) events.push({ what, link: named(link) })
    // A link that was read again moves to the end, because the links at the start are forgotten first.
    seen.delete(name)
    seen.set(name, now)
  }
  const kept = [...seen.values()].slice(-REMEMBERED_LINKS)
  return {
    memory: { ...memory, seen: kept, newest: Math.max(memory.newest, newest), total },
    events,
  }
}

type SeenLink = NonNullable<AlertMemory['seen']>[number]

function detectChange(
  before: SeenLink | undefined,
  now: SeenLink,
  link: LinkDetails,
  newest: number,
): AlertEvent['what'] | undefined {
  if (!before) {
    if (timeOf(link.created_at) > newest) return 'created'
    // The link is not new, but not among those that the alert remembers, so it isn't known what has changed.
    return changedAt(link) > newest ? 'changed' : undefined
  }
  if (before[3] && !now[3]) return 'off'
  return before[2] === now[2] ? undefined : 'moved'
}

export function changedAt({ updated_at: updated, created_at: created }: LinkDetails): number {
  return timeOf(updated) || timeOf(created) || 0
}

const named = ({ name, shortlink_url: shortUrl, title }: LinkDetails) => ({
  name,
  shortUrl,
  ...(title && { title: title.slice(0, MAX_TITLE) }),
})

const MAX_TITLE = 100

export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 10)

const HOUR_MS = 3_600_000
export const MAX_A_DAY = 5

const MAX_PENDING = 200

export interface Due {
  events: AlertEvent[]
  isLastToday: boolean
}

/**
 * Decides whether the pending events are sent now. Two messages of an alert are at least an hour apart, and after five
 * messages within a day, the next one follows a day later at the earliest.
 */
export function schedule(
  memory: AlertMemory,
  events: readonly AlertEvent[],
  now: number,
): { memory: AlertMemory; due?: Due } {
  const pending = [...memory.pending, ...events].slice(0, MAX_PENDING)
  const last = memory.sent.at(-1)
  const pause = countOfDay(memory.sent) < MAX_A_DAY ? HOUR_MS : DAY_MS
  if (pending.length === 0 || (last !== undefined && now < last + pause)) {
    return { memory: { ...memory, pending } }
  }
  const sent = [...memory.sent, now].slice(-MAX_A_DAY)
  return {
    memory: { ...memory, pending: [], sent },
    due: { events: pending, isLastToday: countOfDay(sent) === MAX_A_DAY },
  }
}

function countOfDay(sent: readonly number[]): number {
  const last = sent.at(-1) ?? 0
  return sent.filter((time) => time > last - DAY_MS).length
}
