import { createHash } from 'node:crypto'
import { timeOf, type LinkDetails } from '../../port/links.ts'
import { DAY_MS, dayOf } from '../../timing/days.ts'
import type { Alert, AlertEvent, AlertMemory } from '../../workspaces/alerts.ts'

export interface Figures {
  days?: readonly number[] // The clicks of each day, today last. Absent if the service has only totals.
  total: number
}

/** What a check has read from the link service: for a condition about clicks, `figures`; otherwise, `links`. */
export interface Seen {
  figures?: Figures
  links?: readonly LinkDetails[]
  // The others only for the condition `changes`.
  deleted?: readonly string[] // The names of remembered links that were deleted.
  newest?: number // When the most recently changed link was changed.
  total?: number | undefined // How many links the service has.
}

interface Outcome {
  memory: AlertMemory
  events: AlertEvent[]
}

const AVERAGE_DAYS = 14

export const REMEMBERED_LINKS = 300
const REMEMBERED_TOLD = 1_000

export function evaluate(alert: Alert, memory: AlertMemory, seen: Seen, now: number): Outcome {
  const { condition, number = 0 } = alert
  if (seen.figures) return evaluateClicks(alert, memory, seen.figures, now)
  if (condition === 'changes') return evaluateChanges(memory, seen)
  const links = (seen.links ?? []).filter(({ enabled }) => enabled !== false)
  // The key of a problem stays the same as long as the problem does, so that it is reported only once.
  const problems = links.flatMap((link): [key: string, event: AlertEvent][] => {
    if (condition === 'dead') {
      const key = `${link.name} ${shortHash(link.destination_url)}`
      const event = { what: 'dead', link: namedLink(link) } as const
      return link.destination_status === 'dead' ? [[key, event]] : []
    }
    const at = timeOf(link.expires_at)
    const isSoon = at > now && at <= now + number * DAY_MS
    const event = { what: 'expires', link: namedLink(link), at } as const
    return isSoon ? [[`${link.name} ${at}`, event]] : []
  })
  const newProblems = problems.filter(([key]) => !memory.told.includes(key))
  // A problem that is gone is forgotten, so that the alert reports it again if it comes back.
  const told = problems.map(([key]) => key).slice(-REMEMBERED_TOLD)
  return { memory: { ...memory, told }, events: newProblems.map(([, event]) => event) }
}

function evaluateClicks(
  { condition, number = 0 }: Alert,
  memory: AlertMemory,
  figures: Figures,
  now: number,
): Outcome {
  const { total } = figures
  const today = dayOf(now)
  const totals = figures.days ? [] : withTotal(memory.totals, today, total)
  const days = figures.days ?? differences(totals)
  const clicks = days.at(-1) ?? 0
  const reportOnce = (isMet: boolean, key: string, event: AlertEvent): Outcome => {
    let { told } = memory
    if (isMet) told = [key]
    // There were clicks, so the next days without clicks are reported again.
    else if (condition === 'no_clicks') told = []
    const isNew = isMet && !memory.told.includes(key)
    return { memory: { ...memory, totals, told }, events: isNew ? [event] : [] }
  }
  switch (condition) {
    case 'reaches':
      return reportOnce(total >= number, 'reached', { what: 'reached', clicks: total })
    case 'in_a_day':
      return reportOnce(clicks > number, today, { what: 'busy', clicks })
    case 'times_average': {
      const earlierDays = days.slice(-1 - AVERAGE_DAYS, -1)
      const sum = earlierDays.reduce((subtotal, count) => subtotal + count, 0)
      // With less than one click a day on average, a few clicks would be many times the average.
      const hasAverage = earlierDays.length === AVERAGE_DAYS && sum >= AVERAGE_DAYS
      const isBusy = hasAverage && clicks * AVERAGE_DAYS >= number * sum
      return reportOnce(isBusy, today, { what: 'above_average', clicks })
    }
    default: {
      const last = days.slice(-1 - number)
      const isSilent = last.length > number && last.every((count) => count === 0) && total > 0
      return reportOnce(isSilent, 'silent', { what: 'silent' })
    }
  }
}

const KEPT_TOTALS = 30 // enough for the condition `no_clicks`, which looks at today and up to 28 days before

type Totals = AlertMemory['totals']

function withTotal(totals: Totals, today: string, total: number): Totals {
  const yesterday = dayOf(Date.parse(today) - DAY_MS)
  const earlier = totals.filter(([day]) => day < today)
  // If no total was read yesterday, today's clicks are counted from the first total that is read today.
  const start: Totals = earlier.at(-1)?.[0] === yesterday ? [] : [[yesterday, total]]
  return [...earlier, ...start, [today, total] satisfies Totals[number]].slice(-KEPT_TOTALS)
}

/**
 * If no total was read on some days, all clicks since the last reading count toward the last of these days, so that no
 * link seems to have been without clicks for longer than it was.
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
    // The first check only remembers the links.
    const what = memory.seen && detectChange(seen.get(name), now, link, memory.newest)
    if (what) events.push({ what, link: namedLink(link) })
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
  newest: number, // When the most recently changed link of the last check was changed.
): AlertEvent['what'] | undefined {
  if (!before) {
    if (timeOf(link.created_at) > newest) return 'created'
    // The alert has forgotten this old link, so it isn't known what has changed.
    return changedAt(link) > newest ? 'changed' : undefined
  }
  const [, , hashBefore, wasOn] = before
  const [, , hash, isOn] = now
  if (wasOn && !isOn) return 'off'
  return hashBefore === hash ? undefined : 'moved'
}

export function changedAt({ updated_at: updated, created_at: created }: LinkDetails): number {
  return timeOf(updated) || timeOf(created) || 0
}

const MAX_TITLE_LENGTH = 100

const namedLink = ({ name, shortlink_url: shortUrl, title }: LinkDetails) => ({
  name,
  shortUrl,
  ...(title && { title: title.slice(0, MAX_TITLE_LENGTH) }),
})

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
 * Decides whether an alert's pending events are sent now. Two messages of an alert are at least an hour apart, and
 * after five messages within a day, the next one follows a day later at the earliest.
 */
export function schedule(
  memory: AlertMemory,
  events: readonly AlertEvent[],
  now: number,
): { memory: AlertMemory; due?: Due } {
  const pending = [...memory.pending, ...events].slice(0, MAX_PENDING)
  const lastSent = memory.sent.at(-1)
  const pause = countInLastDay(memory.sent) < MAX_A_DAY ? HOUR_MS : DAY_MS
  if (pending.length === 0 || (lastSent !== undefined && now < lastSent + pause)) {
    return { memory: { ...memory, pending } }
  }
  const sent = [...memory.sent, now].slice(-MAX_A_DAY)
  return {
    memory: { ...memory, pending: [], sent },
    due: { events: pending, isLastToday: countInLastDay(sent) === MAX_A_DAY },
  }
}

function countInLastDay(sent: readonly number[]): number {
  const lastSent = sent.at(-1) ?? 0
  return sent.filter((time) => time > lastSent - DAY_MS).length
}
