import { z } from 'zod'
import { OUR_CREATE_FIELDS } from './link-fields.ts'

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
  /** A list can be sorted by clicks. Offers that were stored earlier lack this. */
  sortByClicks: z.boolean().default(false),
  /** The domain records that a key can use can be listed. */
  domains: z.boolean(),
  /** The fields that a new link can have beyond the specification, such as `expires_at`. */
  fields: z.array(z.enum(OUR_CREATE_FIELDS)),
  /** Calls can say who acts (src/contract/person.ts). Offers that were stored earlier lack this. */
  madeBy: z.boolean().default(false),
  /** People can be signed in to the dashboard, and out of it. */
  signIn: z.boolean().default(false),
  /** A person can be erased from links and their history. */
  erasePerson: z.boolean().default(false),
  /**
   * What short URLs that have a public QR picture start with (src/contract/qr-picture.ts): an origin and a path without
   * a slash at its end, such as `https://go.example.com`. `*` stands for any hostname. Earlier stored offers lack this.
   */
  qrPictures: z.array(z.string()).default([]),
})

export type Offers = z.infer<typeof offers>

/** What the specification itself describes: none of these calls. */
export const NO_OFFERS: Offers = {
  get: false,
  update: false,
  delete: false,
  clicks: false,
  search: false,
  sortByClicks: false,
  domains: false,
  fields: [],
  madeBy: false,
  signIn: false,
  erasePerson: false,
  qrPictures: [],
}
