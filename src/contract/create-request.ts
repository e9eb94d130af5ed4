import { z } from 'zod'
import type { ImageFile } from './preview-image.ts'

/** Booleans are sent as the text `true` or `false` (spec §4.1: all text fields are strings). */
const wireBoolean = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (flag) => (flag ? ('true' as const) : ('false' as const)),
})

/** The six UTM parameters, in their usual order. */
export const UTM_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'utm_id',
] as const

export type UtmParameter = (typeof UTM_PARAMETERS)[number]

/** A color in the form `#RRGGBB` (spec §4.1, qr_code_color). */
export const hexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Use a color in the form #RRGGBB.')

const utmFields = {
  utm_source: z
    .string()
    .describe('UTM source: the origin of visitors, such as newsletter.')
    .optional(),
  utm_medium: z.string().describe('UTM medium: the channel, such as email.').optional(),
  utm_campaign: z
    .string()
    .describe('UTM campaign: the name of the campaign, such as spring-sale.')
    .optional(),
  utm_term: z.string().describe('UTM term: the keyword of a paid search.').optional(),
  utm_content: z
    .string()
    .describe('UTM content: distinguishes the links of a campaign.')
    .optional(),
  utm_id: z.string().describe('UTM ID: the ID of the campaign.').optional(),
} satisfies Record<UtmParameter, z.ZodType>

/**
 * The create request (spec §4.1) with all its 17 fields, and our own `expires_at`. It is a codec: the client
 * encodes its typed request, and the service decodes the fields that it receives.
 */
export const createRequest = z.strictObject({
  destination_url: z.string().min(1).describe('The URL that the short URL redirects to.'),
  domain: z
    .string()
    .min(1)
    .describe('The name (ID) of a domain record. Its domain_name is the short URL’s hostname.'),
  title: z.string().describe('A title by which people recognize the link.').optional(),
  back_half: z
    .string()
    .describe('The path of the short URL. If it is omitted, the service generates one.')
    .optional(),
  utm_analytics_enabled: wireBoolean
    .describe('Whether the utm_… fields take effect. Default: false.')
    .optional(),
  ...utmFields,
  is_custom_preview: wireBoolean
    .describe('Whether the preview_… fields take effect. Default: false.')
    .optional(),
  preview_title: z
    .string()
    .describe('The preview’s title, shown where the link is posted.')
    .optional(),
  preview_description: z
    .string()
    .describe('The preview’s description, shown where the link is posted.')
    .optional(),
  preview_image: z
    .custom<ImageFile>((value) => typeof value === 'object' && value !== null && 'bytes' in value)
    .describe('An image whose file name ends in .jpeg, .jpg, .png or .svg, at most 500 KB.')
    .optional(),
  qr_code_enabled: wireBoolean
    .describe('Whether the link has a QR code. Default: false.')
    .optional(),
  qr_code_color: hexColor.describe('The color of the QR code.').optional(),
  expires_at: z
    .string()
    .describe(
      'When the link expires: an instant (ISO 8601), or a date, which means the end of that day in UTC. Beyond the specification. Default: never.',
    )
    .optional(),
})

/** A create request as callers fill it in, with booleans for flags. */
export type CreateRequest = z.output<typeof createRequest>

export type CreateField = keyof CreateRequest
