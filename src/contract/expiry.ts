import { z } from 'zod'

const date = z.iso.date()
const instant = z.iso.datetime({ offset: true })

// In UTC, an instant such as `9999-12-31T23:00-05:00` is after the last year that ISO 8601 writes with four digits.
const YEAR_10000 = Date.UTC(10_000, 0)

/**
 * Parses an instant (ISO 8601), or a date, which means the end of that day in UTC.
 * @returns milliseconds since 1970, or undefined if the text is neither, or is after the year 9999
 */
export function parseExpiresAt(text: string): number | undefined {
  if (date.safeParse(text).success) return Date.parse(`${text}T23:59:59.999Z`)
  const time = instant.safeParse(text).success ? Date.parse(text) : undefined
  return time !== undefined && time < YEAR_10000 ? time : undefined
}
