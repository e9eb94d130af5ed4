import { z } from 'zod'
import { shortlink, type Shortlink } from '../../contract/shortlink.ts'
import type { Addresses } from '../store/addresses.ts'
import type { LinkRow } from '../store/links.ts'

/** A Shortlink with the additional members that lists show. */
export const listedShortlink = shortlink.extend({
  created_at: z.iso.datetime().describe('In UTC.'),
  updated_at: z.iso.datetime().describe('In UTC.'),
  clicks: z.int().min(0).describe('How many times people clicked it. Bots are not counted.'),
})

export type ListedShortlink = z.infer<typeof listedShortlink>

/** A stored link as responses show it (spec §2.1), without the texts that were not given. */
export function toShortlink(row: LinkRow, addresses: Addresses): Shortlink {
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
 * @param clicks the clicks of people on all days
 */
export function toListedShortlink(
  row: LinkRow,
  clicks: number,
  addresses: Addresses,
): ListedShortlink {
  return {
    ...toShortlink(row, addresses),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    clicks,
  }
}
