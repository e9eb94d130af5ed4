import { createHash } from 'node:crypto'
import { effectiveDestination } from '../../contract/destination.ts'
import { LINK_FIELDS, type UtmParameter } from '../../contract/link-fields.ts'
import type { LinksTable } from '../../database/links-table.ts'
import { formatNumber } from '../../web/numbers.ts'

const MAX_LENGTH = LINK_FIELDS.destination_url.maxLength

// Control characters, and characters that change the order in which a URL is displayed.
const INVISIBLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u

/** @returns the URL, or an error message for the user if the text is no valid destination */
export function parseDestination(text: string): URL | string {
  if (INVISIBLE.test(text)) return 'Remove control characters and line breaks.'
  const url = URL.parse(text)
  if (!url) return 'Use a complete URL, for example https://example.com/page.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return 'Use a URL that starts with https:// or http://.'
  }
  if (url.username || url.password) return 'Use a URL without a user name or password.'
  const { length } = url.href
  if (length <= MAX_LENGTH) return url
  const encoded =
    length > text.length ? ` This one has ${formatNumber(length)} once it is encoded.` : ''
  return `Use a URL of at most ${formatNumber(MAX_LENGTH)} characters.${encoded}`
}

export function redirectUrl(
  link: Pick<LinksTable, 'destination_url' | 'utm_analytics_enabled' | UtmParameter>,
): string {
  return link.utm_analytics_enabled === 1
    ? effectiveDestination(link.destination_url, link)
    : link.destination_url
}

export function destinationHash(effective: string): string {
  return createHash('sha256').update(effective).digest('base64url')
}

/**
 * Builds the value that replaces the hash of a deleted or expired link, so that another link can have its destination:
 * `released:001795824000000:…`. These values sort by time. With an empty `linkId`, the value comes first of its time.
 */
export function releasedHash(linkId: string, now: number): string {
  return `released:${String(now).padStart(15, '0')}:${linkId}`
}
