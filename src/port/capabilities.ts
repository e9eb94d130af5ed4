import type { OurCreateField } from '../contract/link-fields.ts'

/** The offers of a link service that has only the specification's two calls. */
export const NO_OFFERS = {
  /** A single link can be read, changed, or deleted. */
  get: false,
  update: false,
  delete: false,
  /** A link's clicks by day can be read. */
  clicks: false,
  /** A list can be searched (`q`). */
  search: false,
  /** A list can be sorted by clicks. */
  sortByClicks: false,
  /** A list can be limited to links with certain tags, and the tags of links can be listed. */
  tagFilter: false,
  tags: false,
  /** A list can be limited to the links that a person created. */
  creatorFilter: false,
  /** A list can be limited to links that expire before a time. */
  expiresBefore: false,
  /** The clicks of groups of links can be read (src/contract/report.ts). */
  reports: false,
  /** The domain records that a key can use can be listed. */
  domains: false,
  /** The fields that a new link can have beyond the specification, such as `expires_at`. */
  fields: [] as OurCreateField[],
  /** Calls can say who acts (src/contract/person.ts). */
  madeBy: false,
  /** People can be signed in to the dashboard, and out of it. */
  signIn: false,
  /** A person can be erased from links and their history. */
  erasePerson: false,
  /** Short URLs have a public QR picture, in any color (src/contract/qr-picture.ts). */
  qrPicture: false,
}

/** Which calls beyond the specification a link service offers. */
export type Offers = typeof NO_OFFERS
