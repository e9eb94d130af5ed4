import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { DatabaseKind } from '../database/database-url.ts'

const CLAIM_VALID_MS = 15 * 60_000

// The database's time, in milliseconds since 1970. Processes don't use their own clocks, because a process whose clock
// is ahead would delete the claims of others too early.
const NOW = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
} satisfies Record<DatabaseKind, unknown>

/** Records for 15 minutes what is being done or was done, so that several processes do it only once (`DoOnce`). */
export interface DeliveryStore {
  claim(key: string): Promise<boolean>
  release(key: string): Promise<void>
}

export function createDeliveryStore({ database }: { database: Database }): DeliveryStore {
  const { db, kind } = database
  const ownId = randomUUID()
  const now = NOW[kind]

  return {
    async claim(key) {
      await db
        .deleteFrom('deliveries')
        .where('alive_at', '<', sql<number>`${now} - ${CLAIM_VALID_MS}`)
        .execute()
      const claimed = await db
        .insertInto('deliveries')
        .values({ id: hash(key), claimed_by: ownId, alive_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return claimed !== undefined
    },

    async release(key) {
      await db
        .deleteFrom('deliveries')
        .where((is) => is.and({ id: hash(key), claimed_by: ownId }))
        .execute()
    },
  }
}

// Keys contain IDs of workspaces and users, so only their hashes are stored.
function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
