import { z } from 'zod'

/**
 * A shortlink as the service returns it (spec §2.1). Unknown members are kept out, so that
 * a service may add fields of its own.
 */
export const shortlink = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  destination_url: z.url(),
  shortlink_url: z.url({ protocol: /^https?$/ }),
  is_custom_preview: z.boolean().optional(),
  preview_title: z.string().optional(),
  preview_description: z.string().optional(),
  preview_image: z.url().optional(),
  qr_code_enabled: z.boolean().optional(),
})

export type Shortlink = z.infer<typeof shortlink>
