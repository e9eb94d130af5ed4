import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** PostgreSQL's codes: it ended this transaction so that another one can go on. */
const CONFLICTS = ['40001', '40P01']

/** How many times a transaction is tried. Each time, PostgreSQL lets at least one of the others commit. */
const MAX_TRIES = 10

/** Runs a task in a transaction, and again if PostgreSQL ends it because of a deadlock. */
export async function transact<T>(
  db: Kysely<Schema>,
  task: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(task)
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONFLICTS.includes(String(error.code))
}
