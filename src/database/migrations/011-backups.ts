import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  const columns = sql`id integer primary key, made_at bigint, failures integer not null`
  await sql`create table backups (${columns})`.execute(db)
}
