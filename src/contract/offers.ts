import { z } from 'zod'
import { OUR_CREATE_FIELDS } from './link-fields.ts'

/** False if it is absent, as in offers that an earlier version stored. */
const offered = z.boolean().default(false)

/** Which calls beyond the specification a link service offers. Its OpenAPI document says so. */
export const offers = z.object({
  /** A single link can be read, changed, or deleted. */
  get: offered,
  update: offered,
  delete: offered,
  /** A link's clicks by day can be read. */
  clicks: offered,
  /** A list can be searched (`q`). */
  search: offered,
  /** A list can be sorted by clicks. */
  sortByClicks: offered,
  /** A list can be limited to links with certain tags, and the tags of links can be listed. */
  tagFilter: offered,
  tags: offered,
  /** A list can be limited to links that expire before a time. */
  expiresBefore: offered,
  /** The clicks of groups of links can be read (src/contract/report.ts). */
  reports: offered,
  /** The domain records that a key can use can be listed. */
  domains: offered,
  /** The fields that a new link can have beyond the specification, such as `expires_at`. */
  fields: z.array(z.enum(OUR_CREATE_FIELDS)).default([]),
  /** Calls can say who acts (src/contract/person.ts). */
  madeBy: offered,
  /** People can be signed in to the dashboard, and out of it. */
  signIn: offered,
  /** A person can be erased from links and their history. */
  erasePerson: offered,
  /** Short URLs have a public QR picture, in any color (src/contract/qr-picture.ts). */
  qrPicture: offered,
})

export type Offers = z.infer<typeof offers>

/** What the specification itself describes: none of these calls. */
export const NO_OFFERS: Offers = offers.parse({})
