import {
  CREATE_FIELDS,
  OUR_CREATE_FIELDS,
  without,
  type CreateField,
  type LinkField,
} from '../contract/link-fields.ts'
import { SORT_FIELDS, SORT_ORDERS, type SortField, type SortOrder } from '../contract/list-query.ts'

const BEYOND_SPECIFICATION = {
  get: false,
  update: false,
  delete: false,
  turnOff: false,
  clicks: false,
  /** Whether earlier short URLs of a link still work, and those of deleted links stay reserved. */
  keepsAddresses: false,
  /** Whether calls count toward a quota, so that only those are sent that the user asked for. */
  isMetered: false,
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

export interface Capabilities extends Record<keyof typeof BEYOND_SPECIFICATION, boolean> {
  /** If a field needs a flag, both are listed: `utm_source` needs `utm_analytics_enabled`. */
  fields: readonly CreateField[]
  editable: readonly LinkField[]
  clearable: readonly LinkField[]
  backHalf: {
    pattern?: string
    /** The pattern in words, such as `letters, digits, - and _`. */
    allows?: string
    maxLength?: number
  }
  /** If a destination has a link: a second one is refused, the existing one is found on request, or neither. */
  usedDestination: 'refused' | 'findable' | 'allowed'
  sorts: readonly SortField[]
  orders: readonly SortOrder[]
  /** What follows a short URL in the address of its public QR picture: `/qr.png`. It takes `?color=`. */
  qrPath?: string
}

export const SPECIFICATION: Capabilities = {
  ...BEYOND_SPECIFICATION,
  fields: without(CREATE_FIELDS, OUR_CREATE_FIELDS),
  editable: [],
  clearable: [],
  backHalf: {},
  usedDestination: 'refused',
  sorts: SORT_FIELDS,
  orders: SORT_ORDERS,
}

export const MANAGED_LINKS: Capabilities = {
  ...SPECIFICATION,
  get: true,
  update: true,
  delete: true,
  clicks: true,
  search: true,
  domains: true,
}
