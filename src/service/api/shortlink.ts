import type { Shortlink } from '../../contract/shortlink.ts'
import type { Addresses } from '../addresses.ts'
import type { ListedShortlink } from '../link-list.ts'
import type { LinkRow } from '../store/links.ts'

/** A stored link as answers show it (spec §2.1). Texts that were not given are left out. */
export function shortlinkOf(row: LinkRow, addresses: Addresses): Shortlink {
  return {
    name: row.id,
    ...(row.title !== null && { title: row.title }),
    destination_url: row.destination_url,
    shortlink_url: addresses.shortUrl(row),
    is_custom_preview: row.is_custom_preview === 1,
    ...(row.preview_title !== null && { preview_title: row.preview_title }),
    ...(row.preview_description !== null && { preview_description: row.preview_description }),
    ...(row.preview_image_type !== null && {
      preview_image: addresses.previewImageUrl(row.id, row.preview_image_type),
    }),
    qr_code_enabled: row.qr_code_enabled === 1,
  }
}

/**
 * A stored link as lists show it (spec §4.2).
 *
 * @param clicks people's, of all days
 */
export function listedShortlinkOf(
  row: LinkRow,
  clicks: number,
  addresses: Addresses,
): ListedShortlink {
  return {
    ...shortlinkOf(row, addresses),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    clicks,
  }
}
