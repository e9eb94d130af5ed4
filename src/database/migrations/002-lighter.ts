import { sql, type Kysely } from 'kysely'

/** What is simpler since version 1.0.0. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  if (bytes === 'blob') {
    // What an index left behind that versions before 1.0.0 had.
    await sql`drop table if exists link_texts_content`.execute(db)
  } else {
    await createExtension(db, 'pg_trgm')
  }
  for (const statement of APP) await sql.raw(statement).execute(db)
}

/** What the app's processes tell each other, none of which matters for longer than some minutes. */
const APP = [
  'drop table home_tabs',
  'drop table deliveries',
  `create table deliveries (
    id text primary key,
    claimed_by text not null,
    claimed_at bigint not null,
    done_at bigint
  )`,
  'create index deliveries_claimed_at on deliveries (claimed_at)',
]

/** @throws Error that contains the command for an administrator, if it can't be created */
async function createExtension(db: Kysely<never>, name: string): Promise<void> {
  try {
    await sql`create extension if not exists ${sql.raw(name)}`.execute(db)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `the search needs PostgreSQL’s extension ${name}, which can’t be created (${reason}). Install the package postgresql-contrib on the server if it is missing. Then run this in the database, as a user who has permission: CREATE EXTENSION ${name}`,
      { cause },
    )
  }
}
