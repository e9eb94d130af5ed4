import { Kysely, type Dialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations.ts'

/** A migration takes as long as it needs. */
const POSTGRES_LIMITS = { maxConnections: 1, connectMs: 5_000, statementMs: 0, lifetimeS: 0 }

/** Migrates a PostgreSQL database to the newest schema. */
export async function migratePostgres(url: string): Promise<void> {
  // Loaded only here, because most installations use SQLite.
  const { postgresDialect } = await import('./postgres.ts')
  await migrate(postgresDialect(url, POSTGRES_LIMITS), 'bytea')
}

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
