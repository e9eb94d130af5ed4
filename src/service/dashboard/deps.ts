import type { Database } from '../../database/database.ts'
import type { Addresses } from '../addresses.ts'

export const SESSION_COOKIE = 'backhalf_session'

/** What the dashboard's routes work with. */
export interface DashboardDeps {
  database: Database
  addresses: Addresses
  /** Milliseconds since 1970. */
  now: () => number
}
