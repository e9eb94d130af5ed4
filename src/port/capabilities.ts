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
  /** Whether a link's earlier short URLs still work, and no new link can get the short URL of a deleted link. */
  keepsAddresses: false,
  /** Whether calls count toward a quota. If so, the app sends only those that the user asked for. */
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

/** What a link service can do. The app offers its users only that. */
export interface Capabilities extends Record<keyof typeof BEYOND_SPECIFICATION, boolean> {
  /** The fields that a new link can have. With `utm_source`, the list also has its flag, `utm_analytics_enabled`. */
  fields: readonly CreateField[]
  editable: readonly LinkField[]
  clearable: readonly LinkField[]
  backHalf: {
    pattern?: string
    /** The pattern in words, such as `letters, digits, - and _`. */
    allows?: string
    maxLength?: number
  }
  /**
   * What happens if a link is created for a destination that already has one. `refused`: the request fails. `findable`:
   * it fails unless the user wants a second link. `allowed`: the service creates a second link.
   */
  usedDestination: 'refused' | 'findable' | 'allowed'
  sorts: readonly SortField[]
  orders: readonly SortOrder[]
  /** The path below a short URL at which its QR picture is public: `/qr.png`. It takes the parameter `color`. */
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
