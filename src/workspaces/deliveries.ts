import { createHash, randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Database, DatabaseKind } from '../database/database.ts'

/** How long work that was done is remembered, in milliseconds. */
const REMEMBERED_MS = 15 * 60_000

/** How long claimed work may take, in milliseconds. After that, its process must have ended. */
const WORK_MS = 5 * 60_000

/** Why work can't be claimed: it is done, or another request is doing it. */
export type WorkState = 'done_before' | 'under_way'

/**
 * The database's time, in milliseconds since 1970. With their own clocks, processes on several machines could
 * take over each other's work.
 */
const NOW = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
} satisfies Record<DatabaseKind, unknown>

/** Claims of work that only one process may do, such as sharing a link. Each piece of work has a key. */
export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export function createDeliveryStore({ database: { db, kind } }: { database: Database }) {
  const ownId = randomUUID()
  const now = NOW[kind]
  const before = (ms: number): RawBuilder<number> => sql`${now} - ${ms}`

  return {
    /** Claims work for this process. @returns why it can't be claimed; 'claimed' if it was */
    async claim(key: string): Promise<'claimed' | WorkState> {
      await db.deleteFrom('deliveries').where('claimed_at', '<', before(REMEMBERED_MS)).execute()
      const id = hash(key)
      const claim = { claimed_by: ownId, claimed_at: now }
      const claimed = await db
        .insertInto('deliveries')
        .values({ id, ...claim, done_at: null })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(claim)
            .where('deliveries.done_at', 'is', null)
            .where('deliveries.claimed_at', '<', before(WORK_MS)),
        )
        .returning('id')
        .executeTakeFirst()
      if (claimed) return 'claimed'
      const row = await db
        .selectFrom('deliveries')
        .select('done_at')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.done_at == null ? 'under_way' : 'done_before'
    },

    async finish(key: string): Promise<void> {
      await db.updateTable('deliveries').set({ done_at: now }).where('id', '=', hash(key)).execute()
    },

    /** Gives up claimed work, so that it can be claimed again. */
    async release(key: string): Promise<void> {
      await db
        .deleteFrom('deliveries')
        .where('id', '=', hash(key))
        .where('claimed_by', '=', ownId)
        .execute()
    },
  }
}

/** Keys name workspaces and users, which the table must not. */
function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
