import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'
import { isPostgres } from './dialects.ts'
import { keepDataOf100 } from './migrations/003-beside-1-0-0.ts'
import { startBackfills } from './migrations/004-backfills.ts'
import { errorMessage } from '../values/unknown-values.ts'

/**
 * The steps that migrate a database to the newest schema. Each runs once, in this order. Never edit a released step,
 * but add another one. During an upgrade, processes of the previous release work with the new schema, so a step only
 * adds (test/database/beside-release.slow.test.ts). The next release can require the additions, or remove what they
 * replace. Requests wait for a step, so it takes only milliseconds at any number of links. Work that takes longer is a
 * back-fill (004-backfills.ts).
 */
export const STEPS: Record<string, (db: Kysely<never>) => Promise<void>> = {
  '001-baseline': (db) => runFiles(db, '001-baseline'),
  '002-since-1-0-0': async (db) => {
    if (isPostgres(db)) await createExtensions(db)
    await runFiles(db, '002-since-1-0-0')
  },
  '003-beside-1-0-0': keepDataOf100,
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

export function isVersion100(recorded: readonly string[]): boolean {
  return recorded.length === STEPS_OF_1_0_0 && recorded.includes(LAST_STEP_OF_1_0_0)
}

export interface SchemaVersion {
  /** The steps that have yet to run. */
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
