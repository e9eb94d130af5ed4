import { systemClock } from '../timing/clock.ts'
import { retry } from '../timing/retry.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Db, DbTransaction } from './schema.ts'
import { runWrite, runWrites, type RunWrite, type Write } from './write.ts'
import { errorCode } from '../values/unknown-values.ts'

/**
 * PostgreSQL's codes for a serialization failure and a deadlock. It has rolled back this transaction so that another
 * one can go on.
 */
const CONFLICTS = ['40001', '40P01']

/** How many times a transaction is tried. Each time, PostgreSQL lets at least one of the others commit. */
const MAX_TRIES = 10

/**
 * Runs writes on PostgreSQL. Writes of owners share a transaction, because the owners are locked until it is committed.
 * Other writes have a transaction each.
 */
export function createPostgresWriter(
  db: Db,
  committed?: (writes: number) => void,
): { write: RunWrite } {
  const shared = createGroupCommit<Write<unknown>>(async (writes, ownerIds) => {
    const results = await transact(db, async (transaction) => {
      await lockOwners(transaction, ownerIds)
      return runWrites(transaction, writes)
    })
    committed?.(writes.length)
    return results
  })
  return {
    write: (write, ownerId) =>
      ownerId === undefined
        ? transact(db, (transaction) => runWrite(transaction, write))
        : shared.write(write, ownerId),
  }
}

export async function transact<T>(
  db: Db,
  task: (transaction: DbTransaction) => Promise<T>,
): Promise<T> {
  const waitAfter = (error: unknown, failures: number) =>
    failures < MAX_TRIES && CONFLICTS.includes(errorCode(error) ?? '') ? 0 : undefined
  return retry({ clock: systemClock, waitAfter }, () => db.transaction().execute(task))
}

/**
 * Locks these owners until the commit, so that no other process writes links of theirs. All processes lock owners in
 * the same order, because otherwise, two transactions could deadlock.
 */
async function lockOwners(transaction: DbTransaction, ownerIds: readonly string[]): Promise<void> {
  await transaction
    .selectFrom('owners')
    .select('id')
    .where('id', 'in', ownerIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
