import { z } from 'zod'

/**
 * A shortlink as the service returns it (spec §2.1). Unknown members are dropped, so a service may
 * add its own.
 */
export const shortlink = z.object({
  name: z.string().min(1).describe('The ID of the shortlink record.'),
  title: z.string().optional(),
  destination_url: z.url().describe('The destination URL as given.'),
  shortlink_url: z.url({ protocol: /^https?$/ }).describe('The complete short URL.'),
  is_custom_preview: z.boolean().describe('Whether the link has a custom preview.').optional(),
  preview_title: z.string().optional(),
  preview_description: z.string().optional(),
  preview_image: z.url().describe('The URL of the preview image.').optional(),
  qr_code_enabled: z.boolean().describe('Whether the link has a QR code.').optional(),
})

export type Shortlink = z.infer<typeof shortlink>

/** The response to a successful create (spec §4.1). */
export const createdEnvelope = z.object({
  data: z.object({
    status: z.string(),
    message: z.string(),
    shortlink,
  }),
})

export type CreatedEnvelope = z.infer<typeof createdEnvelope>
