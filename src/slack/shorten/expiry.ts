import type { DateTimepicker, InputBlock } from '@slack/types'
import { parseExpiresAt } from '../../contract/expiry.ts'
import { DAY_MS } from '../../timing/days.ts'
import { input } from '../block-kit/inputs.ts'
import { cutValue } from '../platform/field-errors.ts'

const MINUTE_MS = 60_000
const UNITS: Record<string, number> = { h: 60 * MINUTE_MS, d: DAY_MS, w: 7 * DAY_MS }

// Slack's picker accepts only times of ten digits in seconds since 1970, which are from 2001 to 2286.
const PICKABLE = { start: 1_000_000_000_000, end: 10_000_000_000_000 }

export function isPickable(time: number): boolean {
  return time >= PICKABLE.start && time < PICKABLE.end
}

/**
 * Reads when a link expires: after hours, days or weeks (`12h`, `30d`, `2w`), or at an ISO 8601 instant, which the form
 * sends. A date means the end of that day in UTC. For the end of the day in another time zone, call `endOfDay` first.
 */
export function parseExpiry(text: string, now: number): { expiresAt?: number; message?: string } {
  const [, count, unit = ''] = /^(\d+)\s*([a-z]+)$/i.exec(text) ?? []
  const length = Number(count) * (UNITS[unit.toLowerCase()] ?? NaN)
  // Rounded to minutes, so that a request that Slack delivers again has the same expiry, and so is a repetition.
  const expiresAt =
    length > 0 ? Math.ceil((now + length) / MINUTE_MS) * MINUTE_MS : parseExpiresAt(text)
  if (expiresAt === undefined) {
    const shown = `“${cutValue(text)}”`
    return { message: `${shown} isn’t a time that Backhalf understands. ${EXAMPLES}` }
  }
  if (expiresAt >= PICKABLE.end) return { message: TOO_LATE }
  return expiresAt > now ? { expiresAt } : { message: 'This is in the past. Choose a later time.' }
}

const TOO_LATE =
  'The latest possible day is November 19, 2286. Choose an earlier one, or leave this out for a link that never expires.'
const EXAMPLES = 'Type hours, days, weeks or a date, such as 12h, 30d, 2w or 2030-12-24.'

export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/**
 * The last instant of a day: `2030-12-24` in `Europe/Berlin` → `2030-12-24T22:59:59.999Z`. Text that isn't a date, or a
 * date that Slack's picker can't show, is returned unchanged.
 */
export function endOfDay(text: string, timeZone: string): string {
  const wanted = parseExpiresAt(text)
  if (!isDate(text) || wanted === undefined || !isPickable(wanted)) return text
  const nextDay = Temporal.PlainDate.from(text).add({ days: 1 }).toZonedDateTime(timeZone)
  return new Date(nextDay.epochMilliseconds - 1).toISOString()
}

export function expiryInput(typed = '', now: number): InputBlock {
  // For an expired link, the input shows when it expired.
  const end = parseExpiry(typed, now).expiresAt ?? parseExpiresAt(typed) ?? NaN
  return input<DateTimepicker>(
    'expires_at',
    {
      type: 'datetimepicker',
      ...(isPickable(end) && { initial_date_time: Math.floor(end / 1000) }),
    },
    { hint: 'Then the short link stops working. If left empty, it never expires.' },
  )
}
