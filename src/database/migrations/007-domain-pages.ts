import { sql, type Kysely } from 'kysely'

/** Adds the URLs to which `/` and unknown back-halves of a hostname lead. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table domains add column home_url text`.execute(db)
  await sql`alter table domains add column not_found_url text`.execute(db)
}
