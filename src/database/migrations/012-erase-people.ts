import { sql, type Kysely } from 'kysely'

/** Erasing a person needs a permission of its own. The app's own keys, which could do it before, get it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    update api_keys set scopes = case scopes when '[]' then '["people:erase"]'
      else replace(scopes, ']', ',"people:erase"]') end
    where name = 'Backhalf app (automatic key)' and permissions = 'all' and requests_per_minute = 0
      and owner_id in (select id from owners where external_id is not null)`.execute(db)
}
