import { z } from 'zod'

/**
 * A shortlink as the service returns it (spec §2.1). Unknown members are kept out, so that
 * a service may add fields of its own.
 */
export const shortlink = z.object({
  name: z.string().min(1).describe('ID of the shortlink record.'),
  title: z.string().optional(),
  destination_url: z.url().describe('Where it leads, as it was given.'),
  shortlink_url: z.url({ protocol: /^https?$/ }).describe('The complete short URL.'),
  is_custom_preview: z.boolean().describe('Whether it has a preview of its own.').optional(),
  preview_title: z.string().optional(),
  preview_description: z.string().optional(),
  preview_image: z.url().describe('Where the preview image is.').optional(),
  qr_code_enabled: z.boolean().describe('Whether it has a QR code.').optional(),
})

export type Shortlink = z.infer<typeof shortlink>
