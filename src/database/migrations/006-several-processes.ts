import type { ColumnDataType, Kysely } from 'kysely'

/** What the app's processes tell each other (src/database/schema.ts describes the columns). */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('claimed_by', 'text', (column) => column.notNull())
    .addColumn('alive_at', 'bigint', (column) => column.notNull())
    .addColumn('sealed', bytes)
    .addColumn('acknowledgement', bytes)
    .execute()
  await db.schema.createIndex('deliveries_alive_at').on('deliveries').column('alive_at').execute()
  await db.schema
    .createTable('home_tabs')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    .addColumn('drawing', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('home_tabs_key', ['workspace_id', 'user_id'])
    .execute()
}
