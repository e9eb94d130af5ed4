import type { ColumnDataType, Kysely } from 'kysely'

/** One row per Slack workspace: its encrypted connection to a link service. */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  await db.schema
    .createTable('workspace_connections')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey())
    .addColumn('sealed', bytes, (column) => column.notNull())
    .addColumn('connected_by', 'text')
    .addColumn('connected_at', 'bigint', (column) => column.notNull())
    .execute()
}
