import { sql, type QueryExecutorProvider } from 'kysely'

// The extensions of PostgreSQL that the search needs. Both are part of its contrib package.
const EXTENSIONS = ['pg_trgm', 'btree_gin']

/** Creates the missing extensions. @throws Error with commands for an administrator, if one can't be created */
export async function createExtensions(db: QueryExecutorProvider): Promise<void> {
  const { rows: missing } = await sql<{ name: string }>`
    select name from unnest(array[${sql.join(EXTENSIONS)}]::text[]) as wanted (name)
    where name not in (select extname from pg_extension)`.execute(db)
  const commands = missing.map(({ name }) => `CREATE EXTENSION ${name};`).join(' ')
  for (const { name } of missing) {
    await sql`create extension if not exists ${sql.raw(name)}`
      .execute(db)
      .catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        const problem = `the search needs PostgreSQL’s extension ${name}, which can’t be created`
        const fix = `Install the package postgresql-contrib on the server if it is missing. Then run this in the database, as a user who has permission: ${commands}`
        throw new Error(`${problem} (${reason}). ${fix}`, { cause })
      })
  }
}
