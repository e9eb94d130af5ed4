import {
  CREATE_FIELDS,
  OUR_CREATE_FIELDS,
  without,
  type CreateField,
  type LinkField,
} from '../contract/link-fields.ts'
import { SORT_FIELDS, SORT_ORDERS, type SortField, type SortOrder } from '../contract/list-query.ts'

/** What a link service can do, as its driver declares it. A part of it may be read from the service. */
export interface Capabilities {
  /** A single link can be read, changed, or deleted. */
  get: boolean
  update: boolean
  delete: boolean
  /** A link can be turned off and on again. */
  turnOff: boolean
  /** A link's clicks by day can be read. */
  clicks: boolean
  /** The fields that a new link can have. Fields of a group that is turned on by a flag need the flag, too. */
  fields: readonly CreateField[]
  /** The fields that a change can set, and those of them that it can empty. */
  editable: readonly LinkField[]
  clearable: readonly LinkField[]
  /** Whether earlier short URLs of a link still work, and those of deleted links stay reserved and say that it was deleted. */
  keepsAddresses: boolean
  /** Which back-halves the service accepts. */
  backHalf: BackHalfRules
  /**
   * What happens if a destination already has a link: the service refuses a second one, finds the existing link on request,
   * or makes a second one.
   */
  usedDestination: 'refused' | 'findable' | 'allowed'
  /** Whether creates or other calls count toward a quota, so that only those are made that the user asked for. */
  isMetered: boolean
  /** How a list can be sorted, and in which directions. */
  sorts: readonly SortField[]
  orders: readonly SortOrder[]
  /** A list can be searched (`q`). */
  search: boolean
  /** A list can be limited to links with certain tags, and the tags of links can be listed. */
  tagFilter: boolean
  tags: boolean
  /** A list can be limited to the links that a person created. */
  creatorFilter: boolean
  /** A list can be limited to links that expire before a time. */
  expiresBefore: boolean
  /** A list can be limited to links whose destination is dead. */
  deadFilter: boolean
  /** The clicks of groups of links can be read (src/contract/report.ts). */
  reports: boolean
  /** The domain records that a key can use can be listed. */
  domains: boolean
  /** Calls can say who acts (src/contract/person.ts). */
  madeBy: boolean
  /** People can be signed in to the dashboard, and out of it. */
  signIn: boolean
  /** A person can be erased from links and their history. */
  erasePerson: boolean
  /** What follows a short URL in the address of its public QR picture, which takes `?color=`. */
  qrPath?: string
}

export interface BackHalfRules {
  /** A regular expression for the whole back-half. Undefined: only the service knows. */
  pattern?: string
  /** The pattern in words, such as `letters, digits, - and _`. */
  allows?: string
  maxLength?: number
}

/** A link service that has only the specification's two calls. */
export const SPECIFICATION: Capabilities = {
  get: false,
  update: false,
  delete: false,
  turnOff: false,
  clicks: false,
  fields: without(CREATE_FIELDS, OUR_CREATE_FIELDS),
  editable: [],
  clearable: [],
  keepsAddresses: false,
  backHalf: {},
  usedDestination: 'refused',
  isMetered: false,
  sorts: SORT_FIELDS,
  orders: SORT_ORDERS,
  search: false,
  tagFilter: false,
  tags: false,
  creatorFilter: false,
  expiresBefore: false,
  deadFilter: false,
  reports: false,
  domains: false,
  madeBy: false,
  signIn: false,
  erasePerson: false,
}
