import { z } from 'zod'

const date = z.iso.date()
const instant = z.iso.datetime({ offset: true })

/**
 * The end of the last year that ISO 8601 can write, with four digits. An instant such as `9999-12-31T23:00-05:00` would
 * be later in UTC.
 */
const AFTER_YEAR_9999 = Date.UTC(10_000, 0)

/** Parses an instant (ISO 8601), or a date, which means the end of that day in UTC. Returns milliseconds since 1970. */
export function parseExpiresAt(text: string): number | undefined {
  if (date.safeParse(text).success) return Date.parse(`${text}T23:59:59.999Z`)
  const time = instant.safeParse(text).success ? Date.parse(text) : undefined
  return time !== undefined && time < AFTER_YEAR_9999 ? time : undefined
}
