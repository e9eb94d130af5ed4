import { z } from 'zod'

/** Booleans travel as the text `true` or `false` (spec §4.1: all text fields are strings). */
const wireBoolean = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (flag) => (flag ? ('true' as const) : ('false' as const)),
})

/** The six UTM parameters, in the order in which people list them. */
export const UTM_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'utm_id',
] as const

export type UtmParameter = (typeof UTM_PARAMETERS)[number]

/** Largest preview image in bytes: the specification's 500 KB (spec §8), read as 512,000. */
export const PREVIEW_IMAGE_MAX_BYTES = 512_000

/** File name extensions of a preview image, lower case, and the media type of each (spec §8). */
export const PREVIEW_IMAGE_TYPES = {
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
} as const

export type PreviewImageExtension = keyof typeof PREVIEW_IMAGE_TYPES

/** An uploaded picture: its file name (the extension counts) and its bytes. */
export interface ImageFile {
  filename: string
  bytes: Uint8Array
}

/** A colour of the form `#RRGGBB` (spec §4.1, qr_code_color). */
export const hexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour of the form #RRGGBB.')

const utmFields = {
  utm_source: z.string().describe('UTM: where visitors come from, like newsletter.').optional(),
  utm_medium: z.string().describe('UTM: what they come by, like email.').optional(),
  utm_campaign: z.string().describe('UTM: what it belongs to, like spring-sale.').optional(),
  utm_term: z.string().describe('UTM: the keyword of a paid search.').optional(),
  utm_content: z.string().describe('UTM: what tells two links of a campaign apart.').optional(),
  utm_id: z.string().describe('UTM: the campaign’s ID.').optional(),
} satisfies Record<UtmParameter, z.ZodType>

/**
 * The create request (spec §4.1), all 17 fields. As a codec it works both ways: the client
 * encodes its typed input to what travels, the service decodes what arrived.
 */
export const createRequest = z.strictObject({
  destination_url: z.string().min(1).describe('Where the short URL leads.'),
  domain: z
    .string()
    .min(1)
    .describe('Name (ID) of the domain record; its domain_name is the short URL’s hostname.'),
  title: z.string().describe('For people.').optional(),
  back_half: z
    .string()
    .describe('The short URL’s path; made by the service where it is left out.')
    .optional(),
  utm_analytics_enabled: wireBoolean
    .describe('Whether the utm_… fields take effect; false unless given.')
    .optional(),
  ...utmFields,
  is_custom_preview: wireBoolean
    .describe('Whether the preview_… fields take effect; false unless given.')
    .optional(),
  preview_title: z.string().describe('Shown where the link is posted.').optional(),
  preview_description: z.string().describe('Shown where the link is posted.').optional(),
  preview_image: z
    .custom<ImageFile>((value) => typeof value === 'object' && value !== null && 'bytes' in value)
    .describe('A file whose name ends in .jpeg, .jpg, .png or .svg, at most 500 KB.')
    .optional(),
  qr_code_enabled: wireBoolean
    .describe('Whether there is a QR code; false unless given.')
    .optional(),
  qr_code_color: hexColor.describe('Colour of the QR code.').optional(),
})

/** What a caller fills in: flags are booleans. */
export type CreateRequest = z.output<typeof createRequest>

export type CreateField = keyof CreateRequest
