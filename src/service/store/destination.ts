import { createHash } from 'node:crypto'
import { UTM_PARAMETERS, type UtmParameter } from '../../contract/create-request.ts'
import { grouped } from '../grouped.ts'

/** Longest destination URL in characters. */
export const MAX_DESTINATION_LENGTH = 2_000

/** Control characters, and those that make a URL read in another order than it is written. */
const INVISIBLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u

/** A link's UTM parameters, by name; null and undefined: not given. */
export type UtmValues = Partial<Record<UtmParameter, string | null | undefined>>

/**
 * Reads a destination URL as browsers do (WHATWG URL).
 *
 * @returns the URL, or in words why it can't be a destination
 */
export function parseDestination(text: string): URL | string {
  if (text.length > MAX_DESTINATION_LENGTH)
    return `Use at most ${grouped(MAX_DESTINATION_LENGTH)} characters.`
  if (INVISIBLE.test(text)) return 'Use no control characters or line breaks.'
  const url = URL.parse(text)
  if (!url) return 'Use a complete URL, for example https://example.com/page.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return 'Use a URL that begins with https:// or http://.'
  }
  if (url.username || url.password) return 'Use a URL without a user name or password.'
  return url
}

/**
 * Where following the link leads: the destination, normalised, with the UTM parameters added.
 * A parameter that is there already stays as it is, and so do the rest of the query, byte for byte
 * (signatures may depend on it), and the fragment.
 *
 * @param destination a URL that `parseDestination` took
 */
export function effectiveDestination(destination: string, utm: UtmValues): string {
  const url = new URL(destination)
  const added = new URLSearchParams()
  for (const name of UTM_PARAMETERS) {
    const value = utm[name]
    if (value && !url.searchParams.has(name)) added.append(name, value)
  }
  if (added.size > 0) {
    const query = url.search.slice(1)
    url.search = query ? `${query}&${added.toString()}` : added.toString()
  }
  return url.href
}

/** What two links have in common that lead to the same place; short, so that an index holds it. */
export function destinationHash(effective: string): string {
  return createHash('sha256').update(effective).digest('base64url')
}
