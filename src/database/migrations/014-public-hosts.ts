import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** The hosts of SERVICE_PUBLIC_URL so far, so that short URLs on earlier ones keep working. */
export async function up(given: Kysely<never>): Promise<void> {
  const db = given as unknown as Kysely<Schema>
  await db.schema
    .createTable('public_hosts')
    .addColumn('host', 'varchar(260)', (column) => column.primaryKey())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute()
}
