import type { Database } from '../../database/database.ts'
import type { Addresses } from '../addresses.ts'
import type { Report } from './report.ts'

/** What a command works on. */
export interface AdminContext {
  database: Database
  addresses: Addresses
  /** Milliseconds since 1970. */
  now: () => number
}

/** One command: reads its arguments, does its work, and reports what it did. */
export type AdminCommand = (args: string[], context: AdminContext) => Promise<Report>
