import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, sql, type Dialect, type QueryExecutorProvider, type Transaction } from 'kysely'
import { isPostgres } from './dialects.ts'
import { startBackfills } from './migrations/004-backfills.ts'
import { errorMessage } from '../values/unknown-values.ts'

/**
 * The steps that migrate a database to the newest schema. Each runs once, in this order. Never edit a released step,
 * but add another one. During an upgrade, processes of the previous release work with the new schema, so a step only
 * adds (test/database/beside-release.slow.test.ts). The next release can require the additions, or remove what they
 * replace. Requests wait for a step, so it takes only milliseconds at any number of links. Work that takes longer is a
 * back-fill (004-backfills.ts).
 */
const STEPS: Record<string, (db: Kysely<never>) => Promise<void>> = {
  '001-baseline': (db) => runFiles(db, '001-baseline'),
  '002-since-1-0-0': async (db) => {
    if (isPostgres(db)) await createExtensions(db)
    await runFiles(db, '002-since-1-0-0')
  },
  '003-beside-1-0-0': (db) => runFiles(db, '003-beside-1-0-0'),
  '004-backfills': startBackfills,
}

// Runs NAME.sql, in which words that one of the databases lacks are replaced, and NAME.sqlite.sql or NAME.postgres.sql.
async function runFiles(db: Kysely<never>, name: string): Promise<void> {
  const kind = isPostgres(db) ? 'postgres' : 'sqlite'
  for (const file of [`${name}.sql`, `${name}.${kind}.sql`]) {
    const url = new URL(`migrations/${file}`, import.meta.url)
    if (!existsSync(url)) continue
    let text = await readFile(url, 'utf8')
    if (kind === 'sqlite') {
      text = text.replaceAll('bytea', 'blob').replaceAll('bigserial', 'integer')
    } else text = text.replaceAll(' without rowid', '')
    // A statement begins at the start of a line. The body of a trigger is indented.
    const statements = text.split(/;(?:\r?\n)+(?=\S)(?!end\b)/)
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
}

// The extensions of PostgreSQL that the search needs. Both are part of its contrib package.
const EXTENSIONS = ['pg_trgm', 'btree_gin']

/** Creates the missing extensions. @throws Error with commands for an administrator, if one can't be created */
export async function createExtensions(db: QueryExecutorProvider): Promise<void> {
  const { rows: missing } = await sql<{ name: string }>`
    select name from unnest(array[${sql.join(EXTENSIONS)}]::text[]) as wanted (name)
    where name not in (select extname from pg_extension)`.execute(db)
  const commands = missing.map(({ name }) => `CREATE EXTENSION ${name};`).join(' ')
  for (const { name } of missing) {
    const creation = sql`create extension if not exists ${sql.raw(name)}`.execute(db)
    await creation.catch((cause: unknown) => {
      const problem = `the search needs PostgreSQL’s extension ${name}, which can’t be created`
      const fix = `Install the package postgresql-contrib on the server if it is missing. Then run this in the database, as a user who has permission: ${commands}`
      throw new Error(`${problem} (${errorMessage(cause)}). ${fix}`, { cause })
    })
  }
}

export const MIGRATION_NAMES: readonly string[] = Object.keys(STEPS)

// The number of steps that version 1.0.0 recorded, and the last of them. `001-baseline` creates the same schema.
const STEPS_OF_1_0_0 = 15
const LAST_STEP_OF_1_0_0 = '015-key-notices'

function isVersion100(recorded: readonly string[]): boolean {
  return recorded.length === STEPS_OF_1_0_0 && recorded.includes(LAST_STEP_OF_1_0_0)
}

export interface SchemaVersion {
  pending: readonly string[]
  /** Tells the user why this version can't use the database. Undefined if it can, perhaps after the pending steps. */
  problem: string | undefined
}

export function schemaVersion(recorded: readonly string[]): SchemaVersion {
  const done = isVersion100(recorded) ? ['001-baseline'] : recorded
  const unknown = done.filter((name) => !MIGRATION_NAMES.includes(name))
  return {
    pending: MIGRATION_NAMES.filter((name) => !done.includes(name)),
    problem:
      unknown.length > 0
        ? `A newer version of Backhalf has changed it (${unknown.join(', ')}).`
        : undefined,
  }
}

export function recordedIn(database: DatabaseSync): string[] {
  const rows = database.prepare('select name from kysely_migration').all()
  return rows.map(({ name }) => String(name))
}

// How long a migration waits for the lock of a table. All other queries of the table wait behind it, so it fails soon,
// and opening the database is tried again.
const LOCK_TIMEOUT = '300ms'

// The advisory lock that one process holds while it migrates a PostgreSQL database. The number is arbitrary.
const LOCK = 7_214_066_391

export type LogStep = (message: string) => void

/** Migrates in one transaction. Other processes that start meanwhile wait for its commit. */
export async function migrate(dialect: Dialect, log?: LogStep): Promise<void> {
  await using db = new Kysely<never>({ dialect })
  await db.transaction().execute((transaction) => migrateWithin(transaction, log))
}

export async function migrateWithin(transaction: Transaction<never>, log?: LogStep): Promise<void> {
  // On SQLite, only one transaction can write anyway. On PostgreSQL, the lock comes first, because reading the list of
  // tables fails if another process drops one meanwhile.
  if (isPostgres(transaction)) {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction)
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
  }
  const existing = await recordedSteps(transaction)
  if (!existing) {
    await sql`create table kysely_migration (
      name varchar(255) not null primary key, timestamp varchar(255) not null
    )`.execute(transaction)
  }
  const recorded = existing ?? []
  const { problem, pending } = schemaVersion(recorded)
  if (problem !== undefined) throw new Error(problem)
  if (isVersion100(recorded)) {
    // The baseline creates the schema that version 1.0.0 has.
    await sql`delete from kysely_migration`.execute(transaction)
    await recordStep(transaction, '001-baseline')
  }
  if (recorded.length > 0 && pending.length > 0)
    log?.(`upgrading the database: ${pending.join(', ')}`)
  for (const name of pending) {
    await STEPS[name]?.(transaction)
    await recordStep(transaction, name)
  }
  // SQLite begins a transaction even if the file is read-only. This write fails then.
  if (!isPostgres(transaction)) {
    await sql`update kysely_migration set name = name`.execute(transaction)
  }
}

async function recordStep(transaction: Kysely<never>, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp)
    values (${name}, ${new Date().toISOString()})`.execute(transaction)
}

/** @returns undefined if the database is not ours */
export async function recordedSteps(db: QueryExecutorProvider): Promise<string[] | undefined> {
  if (!(await tableNames(db)).includes('kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

export async function tableNames(db: QueryExecutorProvider): Promise<string[]> {
  const names = isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  return (await names.execute(db)).rows.map(({ name }) => name)
}
