import type { Kysely } from 'kysely'

/** Lists of the links that were made in Slack: those of a workspace, or of one maker, the newest first. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('made_links').addColumn('scheme', 'text').execute()
  await db.schema
    .alterTable('made_links')
    .addColumn('superseded', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('made_links_newest')
    .on('made_links')
    .columns(['workspace_id', 'made_at'])
    .execute()
  await db.schema
    .createIndex('made_links_maker')
    .on('made_links')
    .columns(['workspace_id', 'made_by', 'made_at'])
    .execute()
}
