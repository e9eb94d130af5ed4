import { Kysely, sql } from 'kysely'
import { systemClock } from '../timing/clock.ts'
import { retry } from '../timing/retry.ts'
import { createGroupCommit } from './group-commit.ts'
import { PATIENT, postgresDialect } from './postgres.ts'
import type { Db, DbTransaction } from './schema.ts'
import { runWrite, type RunWrite, type Write } from './write.ts'
import { errorCode } from '../values/unknown-values.ts'

// PostgreSQL's codes for a serialization failure and a deadlock. It has rolled back this transaction so that another
// transaction can continue. A retry usually succeeds.
const CONFLICTS = ['40001', '40P01']

// How many times a transaction is tried. After each conflict, at least one of the other transactions can commit.
const MAX_TRIES = 10

/**
 * Runs writes on PostgreSQL. Each transaction locks the owners of its writes, so writes that arrive together share a
 * transaction (group commit). Otherwise, writes of the same owner would wait for each other's commit. A write without
 * an owner gets a transaction of its own.
 */
export function createPostgresWriter(
  db: Db,
  committed?: (writes: number) => void,
): { write: RunWrite } {
  const shared = createGroupCommit<Write<unknown>>(async (writes, ownerIds) => {
    const results = await transact(db, async (transaction) => {
      await lockOwners(transaction, ownerIds)
      const written: unknown[] = []
      for (const write of writes) written.push(await runWrite(transaction, write))
      return written
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

/** Runs a task in a transaction. It runs again after a conflict with another transaction. */
export async function transact<T>(db: Db, task: (transaction: DbTransaction) => Promise<T>) {
  const waitAfter = (error: unknown, failures: number) =>
    failures < MAX_TRIES && CONFLICTS.includes(errorCode(error) ?? '') ? 0 : undefined
  return retry({ clock: systemClock, waitAfter }, () => db.transaction().execute(task))
}

// Locks owners until the commit, so that no other process writes their links. All processes lock owners in the order of
// their IDs, because two transactions could deadlock if they locked them in different orders.
async function lockOwners(transaction: DbTransaction, ownerIds: readonly string[]): Promise<void> {
  await transaction
    .selectFrom('owners')
    .select('id')
    .where('id', 'in', ownerIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Builds an index while others write (`Database.buildIndex`). Several processes can call this at the same time. */
export async function buildPostgresIndex(url: string, name: string, on: string): Promise<boolean> {
  await using db = new Kysely<never>({ dialect: postgresDialect(url, PATIENT) })
  const run = (statement: string) => sql.raw(statement).execute(db)
  const find = async () => {
    const { rows } = await sql<{ isValid: boolean; isBeingBuilt: boolean }>`
      select indisvalid as "isValid", exists (
        select 1 from pg_stat_progress_create_index where index_relid = indexrelid
      ) as "isBeingBuilt"
      from pg_index where indexrelid = to_regclass(${name})`.execute(db)
    return rows[0]
  }
  const existing = await find()
  if (existing?.isValid || existing?.isBeingBuilt) return existing.isValid
  // If a process or the server ends while it builds an index, PostgreSQL keeps an invalid index.
  if (existing) await run(`drop index concurrently if exists ${name}`)
  await run(`create index concurrently if not exists ${name} ${on}`)
  return (await find())?.isValid ?? false
}
