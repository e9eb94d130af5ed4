import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

/** One row a Slack workspace: its connection to a link service, encrypted as a whole. */
export async function up(db: Kysely<never>, { bytes }: Dialect): Promise<void> {
  await db.schema
    .createTable('workspace_connections')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey())
    .addColumn('sealed', bytes, (column) => column.notNull())
    .addColumn('connected_by', 'text')
    .addColumn('connected_at', 'bigint', (column) => column.notNull())
    .execute()
}
