import { sql, type Kysely } from 'kysely'

/** Members of an organization sign in to the dashboard, through the program that has a key of it. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

/** How long a token is valid, in milliseconds. */
const LIFETIME = `case kind when 'sign_in_link' then 900000 else 43200000 end`

/** A UUID from the hash of a token. */
const ID = `substr(hash, 1, 8) || '-' || substr(hash, 9, 4) || '-4' || substr(hash, 14, 3)
  || '-8' || substr(hash, 18, 3) || '-' || substr(hash, 21, 12)`

const STATEMENTS = [
  `alter table dashboard_tokens add column id text not null default ''`,
  'alter table dashboard_tokens add column created_at bigint not null default 0',
  'alter table dashboard_tokens add column ended_at bigint',
  'alter table dashboard_tokens add column api_key_id text references api_keys (id)',
  ...['person_id', 'person_name', 'role', 'workspace'].map(
    (column) => `alter table dashboard_tokens add column ${column} text`,
  ),
  `update dashboard_tokens set id = ${ID}, created_at = expires_at - ${LIFETIME}`,
  'create index dashboard_tokens_id on dashboard_tokens (id)',
  'create index dashboard_tokens_created_at on dashboard_tokens (created_at)',
  'create index dashboard_tokens_api_key on dashboard_tokens (api_key_id, created_at)',
  'create index link_destinations_person on link_destinations (person_id) where person_id is not null',
  // The app's own keys. They have no limit of requests, unlike those that an administrator creates in the dashboard.
  `update api_keys set scopes = '["dashboard:sign_in"]'
  where name = 'Backhalf app (automatic key)' and permissions = 'all' and requests_per_minute = 0
    and owner_id in (select id from owners where external_id is not null)`,
]
