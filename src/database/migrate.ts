import { Kysely, type Dialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations.ts'

/**
 * Migrates to the newest schema, or only up to a step. Several processes may do this at the same
 * time, because the migrations run under a lock.
 *
 * @param bytes the database's column type for raw bytes
 */
export async function migrate(
  dialect: Dialect,
  bytes: 'blob' | 'bytea',
  upTo?: string,
): Promise<void> {
  const db = new Kysely<never>({ dialect })
  try {
    const steps = migrations(bytes)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
    const { error } = await (upTo === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(upTo))
    if (error) throw error instanceof Error ? error : new Error('it failed', { cause: error })
  } finally {
    await db.destroy()
  }
}
