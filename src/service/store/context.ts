import type { Database } from '../../database/database.ts'
import type { Addresses } from './addresses.ts'
import type { Blocklist } from './blocklist.ts'
import type { LinkWriter } from './link-writer.ts'

export interface ServiceContext extends Pick<
  Database,
  'db' | 'eraseDeleted' | 'kind' | 'longReads' | 'write'
> {
  addresses: Addresses
  now: () => number
}

export interface LinkContext extends ServiceContext {
  blocklist: Blocklist
  links: LinkWriter
}
