import type { ColumnDataType, Kysely } from 'kysely'

/** The Slack app's tables (src/database/schema.ts describes the columns). */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  await db.schema
    .createTable('installations')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey())
    .addColumn('sealed', bytes, (column) => column.notNull())
    .addColumn('installed_by', 'text')
    .addColumn('installed_at', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('workspace_settings')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('recent_utm')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('utm', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('recent_utm_key', ['workspace_id', 'user_id'])
    .execute()

  await db.schema
    .createTable('made_links')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('short_url', 'text', (column) => column.notNull())
    .addColumn('destination_url', 'text', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('preview_title', 'text')
    .addColumn('preview_description', 'text')
    .addColumn('preview_image_url', 'text')
    .addColumn('made_by', 'text')
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('made_links_key', ['workspace_id', 'short_url'])
    .execute()
}
