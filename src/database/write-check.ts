import { sql, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** How long a successful check counts, in milliseconds. Anyone may ask, and each check is a commit. */
const VALID_FOR_MS = 1_000

/**
 * Returns a function that writes a row to find out whether the database accepts writes. Requests
 * that arrive together share one check.
 */
export function createWriteCheck(db: Kysely<Schema>): () => Promise<void> {
  let checking: Promise<void> | undefined
  let validUntil = -Infinity

  async function check(): Promise<void> {
    // Kysely's own table, which has one row. The migrations don't use it as a lock.
    await sql`update kysely_migration_lock set is_locked = is_locked`.execute(db)
    validUntil = performance.now() + VALID_FOR_MS
  }

  return async () => {
    if (performance.now() < validUntil) return
    checking ??= check().finally(() => (checking = undefined))
    await checking
  }
}
