import { sql, type Kysely } from 'kysely'

/** Removes what nothing uses: PostgreSQL's notifications of changed links, and the time at which work was done. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  await sql`alter table deliveries drop column done_at`.execute(db)
  if (bytes === 'blob') return
  // PostgreSQL commits transactions that notify one at a time. This also drops the trigger that calls the function.
  await sql`drop function if exists announce_link_change() cascade`.execute(db)
}
