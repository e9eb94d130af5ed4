import { parseExpiresAt } from '../contract/expiry.ts'
import { LINK_FIELD_NAMES, specOf, type LinkField } from '../contract/link-fields.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import { backHalfOf, type LinkDetails } from './link-details.ts'
import { timeOf } from './responses.ts'

/**
 * Whether a link is as an edit wanted it, so that an edit whose answer got lost must have been done. False
 * if that can't be known: an uploaded image can't be compared, and a service may not show every field.
 */
export function isApplied(changes: UpdateRequest, link: LinkDetails): boolean {
  return LINK_FIELD_NAMES.every((name) => {
    const wanted = changes[name]
    if (wanted === undefined) return true
    if (typeof wanted === 'boolean') return link[name] === wanted
    return typeof wanted === 'string' && isSameText(name, wanted, link)
  })
}

/** A text is the same if it differs only in white space around it; empty: absent. */
function isSameText(name: LinkField, wanted: string, link: LinkDetails): boolean {
  const text = String((name === 'back_half' ? backHalfOf(link) : link[name]) ?? '').trim()
  switch (specOf(name).kind) {
    case 'url':
      return URL.parse(text)?.href === URL.parse(wanted)?.href
    case 'color':
      return text.toLowerCase() === wanted.toLowerCase()
    case 'instant':
      if (wanted === '' || text === '') return wanted === text
      return Math.abs(timeOf(text) - (parseExpiresAt(wanted) ?? NaN)) <= ROUNDING_MS
    default:
      return text === wanted.trim()
  }
}

/** Services may store whole seconds, or end a day at its last millisecond. */
const ROUNDING_MS = 1_000
