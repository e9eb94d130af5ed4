import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/schema.ts'
import type { Addresses } from './addresses.ts'
import type { Blocklist } from './blocklist.ts'
import type { LinkWriter } from './link-writer.ts'

export interface ServiceContext extends Pick<
  Database,
  'eraseDeleted' | 'kind' | 'longReads' | 'write'
> {
  db: Db
  addresses: Addresses
  now: () => number
}

export interface LinkContext extends ServiceContext {
  blocklist: Blocklist
  links: LinkWriter
}
