import type { Kysely } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import type { Addresses } from './addresses.ts'
import type { Blocklist } from './blocklist.ts'
import type { LinkWriter } from './link-writer.ts'

/** What nearly every part of the service works with. */
export interface ServiceContext extends Pick<
  Database,
  'eraseDeleted' | 'kind' | 'longReads' | 'write'
> {
  db: Kysely<Schema>
  addresses: Addresses
  /** The time in milliseconds since 1970. */
  now: () => number
}

/** What makes and changes links. */
export interface LinkContext extends ServiceContext {
  blocklist: Blocklist
  links: LinkWriter
}
