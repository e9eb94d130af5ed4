import { z } from 'zod'

const date = z.iso.date()
const instant = z.iso.datetime({ offset: true })

/**
 * Parses when a link expires: an instant (ISO 8601), or a date, which means its last millisecond in UTC.
 *
 * @returns milliseconds since 1970; undefined if it is neither
 */
export function parseExpiry(text: string): number | undefined {
  if (date.safeParse(text).success) return Date.parse(`${text}T23:59:59.999Z`)
  return instant.safeParse(text).success ? Date.parse(text) : undefined
}
