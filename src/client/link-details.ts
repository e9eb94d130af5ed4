import { parseExpiresAt } from '../contract/expiry.ts'
import type { WholeShortlink } from '../contract/extension-calls.ts'
import { LINK_FIELD_NAMES, specOf, type LinkField } from '../contract/link-fields.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import type { ListedLink } from './link-page.ts'
import { timeOf } from './responses.ts'

/** What is known about a single link: at least what a list shows, and everything if the service has the call for it. */
export type LinkDetails = ListedLink & {
  [Member in keyof WholeShortlink]?: WholeShortlink[Member] | undefined
}

/** The back-half of a link. A list shows it at the end of the short URL. */
export function backHalfOf({ back_half, shortlink_url }: LinkDetails): string {
  if (back_half !== undefined) return back_half
  const segment = new URL(shortlink_url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Whether a link has all values of an edit. If so, an edit whose response got lost was done. False if that can't be
 * known: an uploaded image can't be compared.
 */
export function isApplied(changes: UpdateRequest, link: WholeShortlink): boolean {
  return LINK_FIELD_NAMES.every((name) => {
    const wanted = changes[name]
    if (wanted === undefined) return true
    if (typeof wanted === 'boolean') return link[name] === wanted
    return typeof wanted === 'string' && isSameText(name, wanted, String(link[name] ?? '').trim())
  })
}

/** Whether two texts are the same, apart from white space around them. An empty text counts as absent. */
function isSameText(name: LinkField, wanted: string, found: string): boolean {
  switch (specOf(name).kind) {
    case 'url':
      return URL.parse(found)?.href === URL.parse(wanted)?.href
    case 'color':
      return found.toLowerCase() === wanted.toLowerCase()
    case 'instant':
      if (wanted === '' || found === '') return wanted === found
      return Math.abs(timeOf(found) - (parseExpiresAt(wanted) ?? NaN)) <= ROUNDING_MS
    default:
      return found === wanted.trim()
  }
}

/** Services may store whole seconds, or end a day at its last millisecond. */
const ROUNDING_MS = 1_000
