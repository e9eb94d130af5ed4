import type { Kysely } from 'kysely'

/**
 * Clicks, quotas, the dashboard's sign-in, and more columns for API keys (src/database/schema.ts
 * describes the columns).
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('clicks')
    .addColumn('link_id', 'text', (column) => column.notNull().references('links.id'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('people', 'bigint', (column) => column.notNull())
    .addColumn('bots', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('clicks_key', ['link_id', 'day'])
    .execute()
  await db.schema
    .createTable('click_totals')
    .addColumn('link_id', 'text', (column) => column.primaryKey().references('links.id'))
    .addColumn('people', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('dashboard_passwords')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('locked_until', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('dashboard_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.alterTable('owners').addColumn('max_links', 'integer').execute()
  for (const column of ['expires_at', 'last_used_at', 'requests_per_minute']) {
    await db.schema.alterTable('api_keys').addColumn(column, 'bigint').execute()
  }
}
