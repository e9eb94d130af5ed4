import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations.ts'
import type { DatabaseKind } from './migrations/dialect.ts'
import { postgresDialect } from './postgres.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

/** An open database, at the newest schema. */
export interface Database {
  readonly kind: DatabaseKind
  readonly db: Kysely<Schema>
  close(): Promise<void>
}

/** Which database a DATABASE_URL names; undefined for one that we can't open. */
export function databaseKind(url: string): DatabaseKind | undefined {
  if (url.startsWith('file:')) return 'sqlite'
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres'
  return undefined
}

/** The file's path of a `file:PATH` URL. */
export function sqlitePath(url: string): string {
  return url.slice('file:'.length)
}

/**
 * Opens `file:PATH` or `postgres://…` and brings it to the newest schema. Several processes may
 * do this at once: Kysely's migrator takes a lock.
 *
 * @throws an Error that names DATABASE_URL, when the database can't be opened or migrated
 */
export async function openDatabase(url: string): Promise<Database> {
  const kind = databaseKind(url)
  if (!kind) throw new Error('DATABASE_URL must be file:PATH or postgres://…')
  try {
    return await open(url, kind)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The database that DATABASE_URL names can’t be opened: ${why}`, { cause })
  }
}

async function open(url: string, kind: DatabaseKind): Promise<Database> {
  const dialect = kind === 'sqlite' ? await sqliteDialect(sqlitePath(url)) : postgresDialect(url)
  const db = new Kysely<Schema>({ dialect })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations(kind)) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await db.destroy()
    throw error instanceof Error ? error : new Error('migration failed', { cause: error })
  }
  return { kind, db, close: () => db.destroy() }
}
