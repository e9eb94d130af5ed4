import { z } from 'zod'

/** Which calls beyond the specification a link service offers. Its OpenAPI document says so. */
export const offers = z.object({
  /** A single link can be read, changed, or deleted. */
  get: z.boolean(),
  update: z.boolean(),
  delete: z.boolean(),
  /** A link's clicks by day can be read. */
  clicks: z.boolean(),
  /** A list can be searched (`q`). */
  search: z.boolean(),
  /** The domain records that a key can use can be listed. */
  domains: z.boolean(),
  /** A new link can have the time at which it expires (`expires_at`). */
  expiry: z.boolean(),
})

export type Offers = z.infer<typeof offers>

/** What the specification itself describes: none of these calls. */
export const NO_OFFERS: Offers = {
  get: false,
  update: false,
  delete: false,
  clicks: false,
  search: false,
  domains: false,
  expiry: false,
}
