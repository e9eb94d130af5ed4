import { sql, type Kysely } from 'kysely'

/** The requests that count toward the rate limit of an API key, from all processes. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ['counted_minute', 'counted_requests']) {
    await sql`alter table api_keys add column ${sql.ref(column)} bigint not null default 0`.execute(
      db,
    )
  }
}
