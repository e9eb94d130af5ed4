import { hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

const CLAIM_VALID_MS = 15 * 60_000

/** Several processes can receive the same work, such as a repeated request of Slack. One of them claims it. */
export interface DeliveryStore {
  claim(key: string): Promise<boolean>
  release(key: string): Promise<void>
}

export function createDeliveryStore({ database }: { database: Database }): DeliveryStore {
  const { db, kind } = database
  const ownId = randomUUID()
  // Keys contain IDs of workspaces and users, so only their hashes are stored.
  const idOf = (key: string): string => hash('sha256', key, 'hex')
  // The database's time. A process whose own clock is ahead would delete the claims of others too early.
  const now =
    kind === 'sqlite'
      ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
      : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

  return {
    async claim(key) {
      await db
        .deleteFrom('deliveries')
        .where('alive_at', '<', sql<number>`${now} - ${CLAIM_VALID_MS}`)
        .execute()
      const claimed = await db
        .insertInto('deliveries')
        .values({ id: idOf(key), claimed_by: ownId, alive_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return claimed !== undefined
    },

    async release(key) {
      await db
        .deleteFrom('deliveries')
        .where((is) => is.and({ id: idOf(key), claimed_by: ownId }))
        .execute()
    },
  }
}
