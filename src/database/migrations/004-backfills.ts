import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../dialects.ts'

/**
 * Records work of the upgrade that takes longer than milliseconds as rows of `backfills`. The service does this work
 * while it answers requests (store/backfills.ts). If the database has no links, the indexes are built at once.
 */
export async function startBackfills(db: Kysely<never>): Promise<void> {
  await sql`create table backfills (
    name text primary key, position text, filled bigint not null default 0
  )`.execute(db)
  const links = await sql`select id from links limit 1`.execute(db)
  const built = Object.entries(indexes(isPostgres(db)))
  if (links.rows.length === 0) {
    for (const [name, on] of built) await sql.raw(`create index ${name} ${on}`).execute(db)
    return
  }
  const fills = ['people', 'click_totals', 'link_destinations']
  if (isPostgres(db)) fills.push('search_columns')
  for (const name of [...fills, ...built.map(([name]) => name)]) {
    await sql`insert into backfills (name) values (${name})`.execute(db)
  }
}

const CURRENT = 'deleted_at is null'

export const indexes = (onPostgres: boolean): Record<string, string> => ({
  click_totals_owner: 'on click_totals (owner_id, people, link_id, domain_id, segment_id)',
  links_person: `on links (person_id, owner_id, created_at, id, domain_id, updated_at, deleted_at)
    where person_id is not null`,
  link_history_person: 'on link_history (person_id) where person_id is not null',
  // Contains all columns that a page of the links with given tags needs.
  links_tagged: `on links (owner_id, tags, created_at, id, domain_id, updated_at)
    where tags is not null and ${CURRENT}`,
  // Each weekly report asks which links expire soon. Without this index, it would read all links that expire.
  links_ending: `on links (owner_id, expires_at) where enabled = 1 and expires_at is not null and ${CURRENT}`,
  // The dashboard lists links that are turned off or have expired.
  links_off: `on links (id) where enabled = 0 and ${CURRENT}`,
  links_expiring: `on links (id) where expires_at is not null and ${CURRENT}`,
  // Reports find the names of campaigns, sources and mediums with these.
  ...Object.fromEntries(
    ['campaign', 'source', 'medium'].map((name) => [
      `links_utm_${name}`,
      `on links (owner_id, utm_${name}, domain_id)
        where utm_${name} is not null and utm_analytics_enabled = 1 and ${CURRENT}`,
    ]),
  ),
  ...(onPostgres && {
    links_title: `on links (sort_title, id) where ${CURRENT}`,
    // pg_trgm finds links by groups of three characters, and btree_gin finds their owner in the same index. New entries
    // wait in a list and are added together, which takes a third of the time. Every search reads this short list.
    links_search: `on links using gin (owner_id, search_text gin_trgm_ops)
      with (gin_pending_list_limit = 256) where ${CURRENT}`,
  }),
})
