import { parseExpiresAt } from '../../contract/expiry.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000

const UNITS: Record<string, number> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

/** Slack's picker takes times whose seconds since 1970 have ten digits: from 2001 to 2286. In milliseconds. */
const PICKABLE = { start: 1_000_000_000_000, end: 10_000_000_000_000 }

/** Whether Slack's picker can show a time. @param time milliseconds since 1970 */
export function isPickable(time: number): boolean {
  return time >= PICKABLE.start && time < PICKABLE.end
}

/** When a link expires, in milliseconds since 1970, or why that can't be. */
export type Expiry = { expiresAt: number } | { message: string }

/**
 * Reads when a link expires: after hours, days or weeks (`12h`, `30d`, `2w`), at the end of a day in UTC
 * (`2026-12-24`), or at an ISO 8601 instant, which the form sends.
 *
 * @param now milliseconds since 1970
 */
export function parseExpiry(text: string, now: number): Expiry {
  const [, count, unit = ''] = /^(\d{1,4})\s*([hdw])$/i.exec(text) ?? []
  const length = Number(count) * (UNITS[unit.toLowerCase()] ?? NaN)
  // Whole minutes, so that a request that Slack sends twice is the same request.
  if (length > 0) return { expiresAt: Math.ceil((now + length) / MINUTE_MS) * MINUTE_MS }
  const expiresAt = parseExpiresAt(text)
  if (expiresAt === undefined) {
    return { message: 'Type when the link expires, such as 12h, 30d, 2w or 2030-12-24.' }
  }
  if (expiresAt >= PICKABLE.end)
    return { message: 'This is too far in the future. Choose an earlier year.' }
  return expiresAt > now ? { expiresAt } : { message: 'This is in the past. Choose a later time.' }
}
