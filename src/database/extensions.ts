import { sql, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** What the search needs of PostgreSQL. Both are part of its contrib package. */
const EXTENSIONS = ['pg_trgm', 'btree_gin']

/** The extensions that a PostgreSQL database lacks. @returns undefined if none is missing */
export async function missingExtensions(db: Kysely<Schema> | Kysely<never>) {
  const { rows } = await sql<{ name: string; canBeCreated: boolean }>`
    select wanted.name, exists (
      select from pg_available_extension_versions as available where available.name = wanted.name and (
        current_setting('is_superuser') = 'on'
        or trusted and has_database_privilege(current_database(), 'create')
      )
    ) as "canBeCreated"
    from unnest(array[${sql.join(EXTENSIONS)}]::text[]) as wanted (name)
    where wanted.name not in (select extname from pg_extension)`.execute(db)
  if (rows.length === 0) return undefined
  const names = rows.map(({ name }) => name)
  const commands = names.map((name) => `CREATE EXTENSION ${name};`).join(' ')
  return {
    names,
    /** Whether Backhalf can create them itself. */
    canBeCreated: rows.every(({ canBeCreated }) => canBeCreated),
    /** What an administrator can do. */
    fix: `Install the package postgresql-contrib on the server if it is missing. Then run this in the database, as a user who has permission: ${commands}`,
  }
}

/** @throws Error with the commands for an administrator, if one of them can't be created */
export async function createExtensions(db: Kysely<never>): Promise<void> {
  const missing = await missingExtensions(db)
  for (const name of missing?.names ?? []) {
    await sql`create extension if not exists ${sql.raw(name)}`
      .execute(db)
      .catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        const problem = `the search needs PostgreSQL’s extension ${name}, which can’t be created`
        throw new Error(`${problem} (${reason}). ${missing?.fix}`, { cause })
      })
  }
}
