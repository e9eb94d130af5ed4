import {
  CREATE_FIELDS,
  OUR_CREATE_FIELDS,
  without,
  type CreateField,
  type LinkField,
} from '../contract/link-fields.ts'
import { SORT_FIELDS, SORT_ORDERS, type SortField, type SortOrder } from '../contract/list-query.ts'

export interface Capabilities {
  get: boolean
  update: boolean
  delete: boolean
  turnOff: boolean
  clicks: boolean
  /** If a field needs a flag, both are listed: `utm_source` needs `utm_analytics_enabled`. */
  fields: readonly CreateField[]
  editable: readonly LinkField[]
  clearable: readonly LinkField[]
  /** Whether earlier short URLs of a link still work, and those of deleted links stay reserved. */
  keepsAddresses: boolean
  backHalf: BackHalfRules
  /**
   * What happens if a destination already has a link: the service refuses a second one, finds the existing
   * link on request, or creates a second one.
   */
  usedDestination: 'refused' | 'findable' | 'allowed'
  /** Whether calls count toward a quota, so that only those are sent that the user asked for. */
  isMetered: boolean
  sorts: readonly SortField[]
  orders: readonly SortOrder[]
  search: boolean
  tagFilter: boolean
  tags: boolean
  creatorFilter: boolean
  expiresBefore: boolean
  deadFilter: boolean
  reports: boolean
  domains: boolean
  createdBy: boolean
  signIn: boolean
  erasePerson: boolean
  /** What follows a short URL in the address of its public QR picture: `/qr.png`. It takes `?color=`. */
  qrPath?: string
}

export interface BackHalfRules {
  pattern?: string
  /** The pattern in words, such as `letters, digits, - and _`. */
  allows?: string
  maxLength?: number
}

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
  createdBy: false,
  signIn: false,
  erasePerson: false,
}
