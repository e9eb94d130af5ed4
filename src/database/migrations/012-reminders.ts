import { sql, type Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/**
 * When to remind the maker of a link that it expires, three days or an hour before. The index names the due ones;
 * the other one finds a link after a change.
 */
export async function up(given: Kysely<never>): Promise<void> {
  const db = given as unknown as Kysely<Schema>
  await db.schema.alterTable('made_links').addColumn('remind_at', 'bigint').execute()
  await db
    .updateTable('made_links')
    .set({
      remind_at: sql<number | null>`case
        when expires_at - made_at > 259200000 then expires_at - 259200000
        when expires_at - made_at > 3600000 then expires_at - 3600000 end`,
    })
    .where('made_by', 'is not', null)
    .where('link_name', 'is not', null)
    .where('expires_at', '>', Date.now())
    .execute()
  await db.schema
    .createIndex('made_links_remind_at')
    .on('made_links')
    .column('remind_at')
    .where('remind_at', 'is not', null)
    .execute()
  await db.schema
    .createIndex('made_links_link_name')
    .on('made_links')
    .columns(['workspace_id', 'link_name'])
    .execute()
}
