import { existsSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { databaseKind, sqlitePath } from './database-url.ts'
import { recordedSteps, schemaVersion, tableNames, type SchemaVersion } from './migrations.ts'
import { postgresDialect } from './postgres.ts'
import type { Db, DbTransaction, Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { tryCreate } from './trial-create.ts'

const WRITE_TIMEOUT_MS = 4_000

const POSTGRES = { maxConnections: 2, connectMs: 4_000, statementMs: 4_000 }

/**
 * Opens a database without creating or migrating it, so that `npm run doctor` can examine it. It might be empty, from
 * another version, or in use by the app.
 * @returns undefined if the SQLite file doesn't exist
 */
export function openExistingDatabase(url: string): Db | undefined {
  if (databaseKind(url) === 'postgres') {
    return new Kysely<Schema>({ dialect: postgresDialect(url, POSTGRES) })
  }
  const path = sqlitePath(url)
  if (!existsSync(path)) return undefined
  const dialect = sqliteDialect(path, { timeoutMs: WRITE_TIMEOUT_MS, access: 'write' })
  return new Kysely<Schema>({ dialect })
}

/** `foreign`: the tables are not Backhalf's. */
export type SchemaState =
  | { state: 'empty' }
  | { state: 'foreign' }
  | ({ state: 'migrated'; backfills: string[] } & SchemaVersion)

export async function readSchemaState(db: Db): Promise<SchemaState> {
  if ((await tableNames(db)).length === 0) return { state: 'empty' }
  const recorded = await recordedSteps(db)
  if (!recorded) return { state: 'foreign' }
  const version = schemaVersion(recorded)
  // An earlier schema has no table of back-fills.
  const isCurrent = version.pending.length === 0 && version.problem === undefined
  const rows = isCurrent ? await db.selectFrom('backfills').select('name').execute() : []
  return { state: 'migrated', backfills: rows.map(({ name }) => name), ...version }
}

/** Runs a write, by default the creation of a link, and rolls it back. @throws the database's error, if it fails */
export async function tryToWrite(
  db: Db,
  work: (transaction: DbTransaction) => Promise<unknown> = tryCreate.run,
): Promise<void> {
  const transaction = await db.startTransaction().execute()
  try {
    await work(transaction)
  } finally {
    await transaction.rollback().execute()
  }
}

export async function mayCreateTables(db: Db): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean | null }>`
    select has_schema_privilege(current_schema(), 'create') as allowed`.execute(db)
  return rows[0]?.allowed === true
}
