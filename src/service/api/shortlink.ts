import { z } from 'zod'
import { hexColor, UTM_PARAMETERS, type UtmParameter } from '../../contract/create-request.ts'
import { shortlink, type Shortlink } from '../../contract/shortlink.ts'
import type { Addresses } from '../store/addresses.ts'
import type { LinkRow } from '../store/links.ts'

const state = {
  enabled: z
    .boolean()
    .describe('Whether the link is turned on. If not, its short URL answers 410.'),
  expires_at: z.iso
    .datetime()
    .describe(
      'When the link expires, in UTC. From then on, the short URL answers 410. Absent if it never expires.',
    )
    .optional(),
}

/** A Shortlink with the additional members that lists show. */
export const listedShortlink = shortlink.extend({
  ...state,
  created_at: z.iso.datetime().describe('In UTC.'),
  updated_at: z.iso.datetime().describe('In UTC.'),
  clicks: z.int().min(0).describe('How many times people clicked it. Bots are not counted.'),
})

export type ListedShortlink = z.infer<typeof listedShortlink>

/** A Shortlink with everything that a change can set. */
export const wholeShortlink = listedShortlink.extend({
  domain: z.string().describe('The name (ID) of its domain record.'),
  back_half: z.string(),
  utm_analytics_enabled: z.boolean(),
  ...(Object.fromEntries(UTM_PARAMETERS.map((name) => [name, z.string().optional()])) as Record<
    UtmParameter,
    z.ZodOptional<z.ZodString>
  >),
  qr_code_color: hexColor.optional(),
})

export type WholeShortlink = z.infer<typeof wholeShortlink>

/** What a create returns, and what a 409 shows of an existing link. `enabled` is present only if the link is turned off. */
export const stateShortlink = shortlink.extend({
  enabled: state.enabled.optional(),
  expires_at: state.expires_at,
})

/** A stored link as responses show it (spec §2.1), without the texts that were not given. */
export function toShortlink(
  row: LinkRow,
  addresses: Addresses,
): Shortlink & z.infer<typeof stateShortlink> {
  return {
    name: row.id,
    ...(row.title !== null && { title: row.title }),
    destination_url: row.destination_url,
    shortlink_url: addresses.shortUrl(row),
    is_custom_preview: row.is_custom_preview === 1,
    ...(row.preview_title !== null && { preview_title: row.preview_title }),
    ...(row.preview_description !== null && { preview_description: row.preview_description }),
    ...(row.preview_image_type !== null && {
      preview_image: addresses.previewImageUrl(row, row.preview_image_type),
    }),
    qr_code_enabled: row.qr_code_enabled === 1,
    ...(row.enabled === 0 && { enabled: false }),
    ...(row.expires_at !== null && { expires_at: new Date(row.expires_at).toISOString() }),
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
    enabled: row.enabled === 1,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    clicks,
  }
}

/** A stored link with everything that a change can set. @param clicks the clicks of people on all days */
export function toWholeShortlink(
  row: LinkRow,
  clicks: number,
  addresses: Addresses,
): WholeShortlink {
  const texts = [...UTM_PARAMETERS, 'qr_code_color' as const].flatMap((name) =>
    row[name] === null ? [] : [[name, row[name]]],
  )
  return {
    ...toListedShortlink(row, clicks, addresses),
    domain: row.domain_id,
    back_half: row.back_half,
    utm_analytics_enabled: row.utm_analytics_enabled === 1,
    ...(Object.fromEntries(texts) as Partial<WholeShortlink>),
  }
}
