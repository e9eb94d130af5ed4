import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { longReadsDialect } from './long-reads.ts'
import { migrations } from './migrations.ts'
import { postgresDialect } from './postgres.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** Connections to PostgreSQL for long reads, and how long one may take. */
const LONG_READS_POOL = { max: 2, statement_timeout: 5_000 }

/** An open database with the newest schema. */
export interface Database {
  readonly kind: DatabaseKind
  readonly db: Kysely<Schema>
  /**
   * The same database, for reads that may take long: searches, deep pages of lists, sorting. They
   * run outside of the event loop and apart from other queries. A read that takes too long, or that
   * too many others precede, fails with DatabaseUnavailableError. There are no transactions and no
   * writes here.
   */
  readonly longReads: Kysely<Schema>
  close(): Promise<void>
}

/** The kind of database that a DATABASE_URL names; undefined if we don't support it. */
export function databaseKind(url: string): DatabaseKind | undefined {
  if (url.startsWith('file:')) return 'sqlite'
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres'
  return undefined
}

/** The path in a `file:PATH` URL. */
export function sqlitePath(url: string): string {
  return url.slice('file:'.length)
}

/**
 * Opens `file:PATH` or `postgres://…` and migrates it to the newest schema. Several processes may
 * do this at the same time, because the migrations run under a lock.
 *
 * @throws Error that names DATABASE_URL if the database can't be opened or migrated
 */
export async function openDatabase(url: string): Promise<Database> {
  const kind = databaseKind(url)
  if (!kind) throw new Error('DATABASE_URL must be file:PATH or postgres://…')
  try {
    return await open(url, kind)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The database in DATABASE_URL can’t be opened: ${reason}`, { cause })
  }
}

async function open(url: string, kind: DatabaseKind): Promise<Database> {
  const dialect = kind === 'sqlite' ? await sqliteDialect(sqlitePath(url)) : postgresDialect(url)
  const db = new Kysely<Schema>({ dialect })
  const steps = migrations(kind === 'sqlite' ? 'blob' : 'bytea')
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await db.destroy()
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error })
  }
  const longReads = new Kysely<Schema>({
    dialect:
      kind === 'sqlite' ? longReadsDialect(sqlitePath(url)) : postgresDialect(url, LONG_READS_POOL),
  })
  return {
    kind,
    db,
    longReads,
    async close() {
      await longReads.destroy()
      await db.destroy()
    },
  }
}
