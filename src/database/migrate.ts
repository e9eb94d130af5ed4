import { Kysely, sql, type Dialect, type QueryExecutorProvider, type Transaction } from 'kysely'
import { isPostgres } from './dialects.ts'
import { isVersion100, schemaVersion, STEPS } from './migrations.ts'

// How long a migration waits for the lock of a table. All other queries of the table wait behind it, so it fails soon,
// and opening the database is tried again.
const LOCK_TIMEOUT = '300ms'

// The advisory lock that one process holds while it migrates a PostgreSQL database. The number is arbitrary.
const LOCK = 7_214_066_391

export type LogStep = (message: string) => void

/** Migrates to the newest schema in one transaction. Other processes that start meanwhile wait for its commit. */
export async function migrate(dialect: Dialect, log?: LogStep): Promise<void> {
  await using db = new Kysely<never>({ dialect })
  await db.transaction().execute((transaction) => migrateWithin(transaction, log))
}

export async function migrateWithin(
  transaction: Transaction<never>,
  log: LogStep = () => undefined,
): Promise<void> {
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
    log(`upgrading the database: ${pending.join(', ')}`)
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

/** @returns the names of the steps that have run, or undefined if the database is not ours */
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
