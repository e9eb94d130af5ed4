import { sql, type ColumnDataType, type Kysely } from 'kysely'

/**
 * The function of PostgreSQL's search index calls another of our functions. pg_restore and autovacuum run it with an
 * empty search path and did not find the other. So backups were restored without the index, and the table was never
 * analyzed.
 */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  if (bytes === 'blob') return
  await sql`alter function link_marks(bigint, text, text, text, integer, bigint)
    set search_path from current`.execute(db)
}
