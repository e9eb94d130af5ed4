import { z } from 'zod'
import { fieldsWith, without, type LinkField } from './link-fields.ts'
import type { FieldKind } from './field-spec.ts'
import { fieldShape, hexColor } from './link-requests.ts'

const RETURNED_SCHEMAS = {
  url: z.url(),
  domain: z.string(),
  back_half: z.string(),
  text: z.string(),
  lines: z.string(),
  tags: z.array(z.string()),
  flag: z.boolean(),
  color: hexColor,
  image: z.url(),
  instant: z.iso.datetime(),
} satisfies Record<FieldKind, z.ZodType>

const RETURNED_DESCRIPTIONS: Partial<Record<LinkField, string>> = {
  destination_url: 'The destination URL, without the values of the utm_… fields.',
  domain: 'The name (ID) of the link’s domain record.',
  expires_at:
    'When the link expires, in UTC. From then on, the short URL returns 410. Absent if it never expires.',
  tags: 'The link’s tags. Absent if it has none.',
  is_custom_preview: 'Whether the link has a custom preview.',
  preview_image: 'The URL of the preview image.',
  qr_code_enabled: 'Whether the link has a QR code.',
  enabled: 'Whether the link is turned on. If not, its short URL returns 410.',
}

export function returnedShape<Name extends LinkField>(names: readonly Name[]) {
  return fieldShape(names, RETURNED_SCHEMAS, (name) => ({
    description: RETURNED_DESCRIPTIONS[name],
  }))
}

export const LISTED_FIELDS = fieldsWith({ isListed: true })
export const OUR_LISTED_FIELDS = fieldsWith({ isListed: true, isOurs: true })

/** A shortlink in a response (spec §2.1). Unknown members are dropped, so a service can add its own. */
export const shortlink = z.object({
  name: z.string().min(1).describe('The ID of the shortlink record.'),
  shortlink_url: z.url({ protocol: /^https?$/ }).describe('The complete short URL.'),
  ...returnedShape(without(LISTED_FIELDS, OUR_LISTED_FIELDS)),
})

export type Shortlink = z.infer<typeof shortlink>
