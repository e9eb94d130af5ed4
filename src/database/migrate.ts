import { Kysely, sql, type Dialect, type Transaction } from 'kysely'
import { schemaVersion, STEPS, STEPS_OF_1_0_0 } from './migrations.ts'
import type { Schema } from './schema.ts'

/** A migration takes milliseconds, but it might wait for that of another process. */
const POSTGRES_LIMITS = { maxConnections: 1, connectMs: 5_000, statementMs: 0 }

/**
 * How long a step waits for the lock of a table, which a backup might hold for minutes. Meanwhile, all queries of the table wait
 * behind it, also those of other processes. After that, opening the database is tried again (open-when-reachable.ts).
 */
const LOCK_TIMEOUT = '300ms'

/** The advisory lock that one process holds while it migrates a PostgreSQL database: any number of our own. */
const LOCK = 7_214_066_391

export type LogStep = (message: string) => void

export async function migratePostgres(url: string, log?: LogStep): Promise<void> {
  // Loaded only here, because most installations use SQLite.
  const { postgresDialect } = await import('./postgres.ts')
  await migrate(postgresDialect(url, POSTGRES_LIMITS), 'bytea', log)
}

/**
 * Migrates to the newest schema in one transaction. Several processes can do this at the same time: each waits until the
 * one before has finished.
 *
 * @throws Error if the database is of a version that this one can't migrate
 */
export async function migrate(
  dialect: Dialect,
  bytes: 'blob' | 'bytea',
  log?: LogStep,
): Promise<void> {
  const db = new Kysely<never>({ dialect })
  try {
    await db.transaction().execute((transaction) => migrateWithin(transaction, bytes, log))
  } finally {
    await db.destroy()
  }
}

export async function migrateWithin(
  transaction: Transaction<never>,
  bytes: 'blob' | 'bytea',
  log: LogStep = () => undefined,
): Promise<void> {
  // The lock comes first, because reading the list of tables fails if another process drops one meanwhile.
  // SQLite lets only one transaction write at a time.
  if (bytes === 'bytea') {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction)
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
  }
  const existing = await recordedSteps(transaction, bytes === 'blob')
  if (!existing) {
    await sql`create table kysely_migration (
      name varchar(255) not null primary key, timestamp varchar(255) not null
    )`.execute(transaction)
  }
  const recorded = existing ?? []
  const { problem, pending } = schemaVersion(recorded)
  if (problem !== undefined) throw new Error(problem)
  if (recorded.includes(STEPS_OF_1_0_0[0])) await replaceSteps(transaction)
  if (recorded.length > 0 && pending.length > 0)
    log(`upgrading the database: ${pending.join(', ')}`)
  for (const name of pending) {
    await STEPS[name]?.up(transaction, bytes)
    await recordStep(transaction, name)
  }
  // SQLite begins a transaction even if the file is read-only. Only a write shows that it is.
  if (bytes === 'blob') await sql`update kysely_migration set name = name`.execute(transaction)
}

/** Records the baseline instead of the steps that led to the same schema in version 1.0.0. */
async function replaceSteps(transaction: Kysely<never>): Promise<void> {
  await sql`delete from kysely_migration
    where name in (${sql.join(STEPS_OF_1_0_0)})`.execute(transaction)
  await recordStep(transaction, '001-baseline')
}

async function recordStep(transaction: Kysely<never>, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp)
    values (${name}, ${new Date().toISOString()})`.execute(transaction)
}

export async function recordedSteps(
  db: Kysely<Schema> | Kysely<never>,
  isSqlite: boolean,
): Promise<string[] | undefined> {
  if (!(await tableNames(db, isSqlite)).includes('kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

export async function tableNames(
  db: Kysely<Schema> | Kysely<never>,
  isSqlite: boolean,
): Promise<string[]> {
  const names = isSqlite
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = current_schema()`
  return (await names.execute(db)).rows.map(({ name }) => name)
}
