import { isOneLine, MAX_LINE_LENGTH } from '../store/key-rules.ts'
import { AdminError } from './command.ts'

/** Parses a name: one line, not too long. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name && isOneLine(name)) return name
  throw new AdminError(`The name must be one line of 1 to ${MAX_LINE_LENGTH} characters.`)
}

const DAY_MS = 86_400_000

/**
 * Parses a time in the future: a number of days, like `90d`, or an ISO 8601 date or time, in UTC
 * unless it has an offset.
 *
 * @param now the time in milliseconds since 1970
 * @returns milliseconds since 1970
 */
export function parseTime(text: string, now: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const isIso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const isUtc = !text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const time = days
    ? now + Number(days) * DAY_MS
    : isIso
      ? Date.parse(isUtc ? text : `${text}Z`)
      : NaN
  if (time > now) return time
  throw new AdminError(`“${text}” is not a time in the future. Write it like 90d or 2027-12-31.`)
}

/** Parses a whole number. @param name the option, for the error message */
export function parseCount(text: string, name: string, min: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (count >= min) return count
  throw new AdminError(`${name} must be a whole number from ${min} to 999999999.`)
}
