import { sql, type Kysely } from 'kysely'

/** Removes what nothing uses: PostgreSQL's notifications of changed links, and the time at which work was done. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  await sql`alter table deliveries drop column done_at`.execute(db)
  if (bytes === 'blob') return
  // PostgreSQL commits transactions that notify one at a time.
  await sql`drop trigger link_history_added on link_history`.execute(db)
  await sql`drop function announce_link_change()`.execute(db)
}
