import {
  SINGLE_FIELDS,
  type ListedShortlink,
  type StateShortlink,
  type WholeShortlink,
} from '../../contract/extension-calls.ts'
import { someFields, type LinkField } from '../../contract/link-fields.ts'
import { LISTED_FIELDS } from '../../contract/shortlink.ts'
import type { Addresses } from '../store/addresses.ts'
import { fieldValues } from '../store/link-values.ts'
import type { LinkRow } from '../store/links.ts'

/** The fields of a stored link as responses show them, without those that were not given. */
function shownFields<Name extends LinkField>(
  link: LinkRow,
  names: readonly Name[],
  addresses: Addresses,
): Pick<WholeShortlink, Name> {
  const { preview_image_type: type } = link
  const image = type === null ? null : addresses.previewImageUrl(link, type)
  const values = { ...fieldValues(link), preview_image: image }
  return someFields(names, (name) => values[name] ?? undefined) as Pick<WholeShortlink, Name>
}

/** A stored link as responses show it (spec §2.1), without the texts that were not given. */
export function toShortlink(link: LinkRow, addresses: Addresses): StateShortlink {
  const { enabled, ...fields } = shownFields(link, LISTED_FIELDS, addresses)
  return {
    name: link.id,
    shortlink_url: addresses.shortUrl(link),
    ...fields,
    ...(!enabled && { enabled }),
  }
}

/**
 * A stored link as lists show it (spec §4.2).
 *
 * @param clicks the clicks of people on all days
 */
export function toListedShortlink(
  link: LinkRow,
  clicks: number,
  addresses: Addresses,
): ListedShortlink {
  return {
    ...toShortlink(link, addresses),
    enabled: link.enabled === 1,
    created_at: new Date(link.created_at).toISOString(),
    updated_at: new Date(link.updated_at).toISOString(),
    clicks,
  }
}

/** A stored link with everything that a change can set. @param clicks the clicks of people on all days */
export function toWholeShortlink(
  link: LinkRow,
  clicks: number,
  addresses: Addresses,
): WholeShortlink {
  return {
    ...toListedShortlink(link, clicks, addresses),
    ...shownFields(link, SINGLE_FIELDS, addresses),
  }
}
