import type { Kysely } from 'kysely'

/** What a reminder before a link expires needs: the link's ID at the service, and when it expires. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('made_links').addColumn('link_name', 'text').execute()
  await db.schema.alterTable('made_links').addColumn('expires_at', 'bigint').execute()
}
