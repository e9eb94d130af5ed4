import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { sql, type Kysely } from 'kysely'
import { isPostgres } from './dialects.ts'
import { keepDataOf100 } from './migrations/003-beside-1-0-0.ts'
import { startBackfills } from './migrations/004-backfills.ts'
import { createExtensions } from './extensions.ts'

/**
 * The steps that migrate a database to the newest schema. Each runs once, in this order. Never edit a released step.
 * Add another one instead. A step only adds, because processes of the previous release work with the new schema
 * (test/database/beside-release.slow.test.ts). Only the next release can require the additions, or remove what they
 * replace. A step takes milliseconds at any number of links, because requests wait for it. Work that takes longer is a
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

/** Runs NAME.sql, and then NAME.sqlite.sql or NAME.postgres.sql. The types in NAME.sql are PostgreSQL's. */
async function runFiles(db: Kysely<never>, name: string): Promise<void> {
  const kind = isPostgres(db) ? 'postgres' : 'sqlite'
  for (const file of [`${name}.sql`, `${name}.${kind}.sql`]) {
    const url = new URL(`migrations/${file}`, import.meta.url)
    if (!existsSync(url)) continue
    let text = await readFile(url, 'utf8')
    if (kind === 'sqlite') {
      text = text.replaceAll('bytea', 'blob').replaceAll('bigserial', 'integer')
    }
    // A statement begins at the start of a line. The body of a trigger is indented.
    const statements = text.split(/;(?:\r?\n)+(?=\S)(?!end\b)/)
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
}

export const MIGRATION_NAMES: readonly string[] = Object.keys(STEPS)

/**
 * The number of steps that version 1.0.0 recorded, and the name of its last one. The baseline makes the same schema.
 */
const STEPS_OF_1_0_0 = 15
const LAST_STEP_OF_1_0_0 = '015-key-notices'

export function isVersion100(recorded: readonly string[]): boolean {
  return recorded.length === STEPS_OF_1_0_0 && recorded.includes(LAST_STEP_OF_1_0_0)
}

export interface SchemaVersion {
  pending: readonly string[]
  /** Why this version can't use the database, for the user; undefined if it can, perhaps after it has migrated it. */
  problem: string | undefined
}

export function schemaVersion(recorded: readonly string[]): SchemaVersion {
  const known = isVersion100(recorded) ? MIGRATION_NAMES.slice(0, 1) : recorded
  const unknown = known.filter((name) => !MIGRATION_NAMES.includes(name))
  return {
    pending: MIGRATION_NAMES.filter((name) => !known.includes(name)),
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
