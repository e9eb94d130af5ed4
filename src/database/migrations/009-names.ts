import { sql, type Kysely } from 'kysely'

/** Indexes of the names that reports compare, and of the links that a person created. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // Version 1.0.0 didn't tell the service who created a link. Lists of a person's links now come from the service.
  `update links set person_id = (
    select min(workspace_id || '-' || made_links.made_by) from made_links where link_name = links.id
  ) where person_id is null and id in (select link_name from made_links where made_by is not null)`,
  ...['campaign', 'source', 'medium'].map(
    (name) => `create index links_utm_${name} on links (owner_id, utm_${name}, domain_id)
      where utm_${name} is not null and utm_analytics_enabled = 1 and deleted_at is null`,
  ),
  'drop index links_person',
  `create index links_person on links
    (person_id, owner_id, created_at, id, domain_id, updated_at, deleted_at) where person_id is not null`,
]
