import type { Db } from '../../database/schema.ts'

/** Background work that only one process at a time does: the one that holds the lease, a row of `destination_walk`. */
export const LEASES = { destinations: 1, removal: 2 } as const

const LEASE_MS = 3 * 60_000

/**
 * Takes or renews a lease for three minutes.
 * @param work.firstDoneAt when the work counts as done if it has no row yet
 * @returns how far the work has got; undefined if another process holds the lease
 */
export async function takeLease(
  db: Db,
  work: { id: number; processId: string; firstDoneAt: number },
  now: number,
) {
  const { id, processId, firstDoneAt } = work
  await db
    .insertInto('destination_walk')
    .values({ id, held_by: processId, held_until: 0, at_link: '', walked_at: firstDoneAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .updateTable('destination_walk')
    .set({ held_by: processId, held_until: now + LEASE_MS })
    .where('id', '=', id)
    .where((is) => is.or([is('held_by', '=', processId), is('held_until', '<', now)]))
    .returning(['at_link', 'walked_at'])
    .executeTakeFirst()
}
