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
export const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i, 'Use a colour of the form #RRGGBB.')

const utmFields = {
  utm_source: z.string().optional(),
  utm_medium: z.string().optional(),
  utm_campaign: z.string().optional(),
  utm_term: z.string().optional(),
  utm_content: z.string().optional(),
  utm_id: z.string().optional(),
} satisfies Record<UtmParameter, z.ZodType>

/**
 * The create request (spec §4.1), all 17 fields. As a codec it works both ways: the client
 * encodes its typed input to what travels, the service decodes what arrived.
 */
export const createRequest = z.strictObject({
  destination_url: z.string().min(1),
  domain: z.string().min(1),
  title: z.string().optional(),
  back_half: z.string().optional(),
  utm_analytics_enabled: wireBoolean.optional(),
  ...utmFields,
  is_custom_preview: wireBoolean.optional(),
  preview_title: z.string().optional(),
  preview_description: z.string().optional(),
  preview_image: z
    .custom<ImageFile>((value) => typeof value === 'object' && value !== null && 'bytes' in value)
    .optional(),
  qr_code_enabled: wireBoolean.optional(),
  qr_code_color: hexColor.optional(),
})

/** What a caller fills in: flags are booleans. */
export type CreateRequest = z.output<typeof createRequest>

/** What travels: flags are the texts `true` and `false`. */
export type CreateRequestFields = z.input<typeof createRequest>

export type CreateField = keyof CreateRequest
