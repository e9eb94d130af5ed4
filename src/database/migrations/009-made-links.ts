import type { Kysely } from 'kysely'

/** What a reminder before a link ends needs: the service's ID of the link, and when it ends. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('made_links').addColumn('link_name', 'text').execute()
  await db.schema.alterTable('made_links').addColumn('expires_at', 'bigint').execute()
}
