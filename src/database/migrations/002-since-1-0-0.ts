import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../dialects.ts'
import { createExtensions } from '../extensions.ts'
import { POSTGRES_COUNTS, SQLITE_COUNTS } from './001-baseline.ts'

/** The changes since version 1.0.0 that take milliseconds. The others follow in 004-backfills.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) await createExtensions(db)
  const statements = [
    ...Object.entries(COLUMNS).flatMap(([table, columns]) =>
      columns.map((column) => `alter table ${table} add column ${column}`),
    ),
    ...KEYS_AND_TOKENS,
    ...tables(isPostgres(db)),
    ...APP_TABLES,
    ...(isPostgres(db)
      ? [...POSTGRES_SEARCH, ...POSTGRES_COUNTS]
      : [...SQLITE_SEARCH, ...SQLITE_COUNTS]),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const PERSON = ['person_id text', 'person_name text']

const COLUMNS = {
  domains: ['home_url text', 'not_found_url text'],
  api_keys: [
    'destinations text',
    'counted_minute bigint not null default 0',
    'counted_requests bigint not null default 0',
  ],
  links: ['made_by text', ...PERSON, 'tags text'],
  link_history: PERSON,
  // Version 1.0.0 writes no owner (003-beside-1-0-0.ts).
  click_totals: [
    `owner_id text not null default ''`,
    `domain_id text not null default ''`,
    'segment_id bigint',
  ],
  dashboard_tokens: [
    `id text not null default ''`,
    'created_at bigint not null default 0',
    'ended_at bigint',
    'api_key_id text references api_keys (id)',
    ...PERSON,
    'role text',
    'workspace text',
    'allowed_hosts text',
  ],
  workspace_settings: ['report_at bigint'],
}

const LIFETIME = `case kind when 'sign_in_link' then 900000 else 43200000 end`

const ID = `substr(hash, 1, 8) || '-' || substr(hash, 9, 4) || '-4' || substr(hash, 14, 3)
  || '-8' || substr(hash, 18, 3) || '-' || substr(hash, 21, 12)`

/** The app's own keys. They have no limit of requests, unlike those that an administrator creates in the dashboard. */
const OWN_KEYS = `name = 'Backhalf app (made by itself)' and permissions = 'all' and requests_per_minute = 0
  and owner_id in (select id from owners where external_id is not null)`

const KEYS_AND_TOKENS = [
  'drop table if exists kysely_migration_lock',
  `update api_keys set scopes = '["dashboard:sign_in","people:erase"]' where ${OWN_KEYS}`,
  // The history names the key, and the service revokes its own keys by this name (store/provision.ts).
  `update api_keys set name = 'Backhalf app (automatic key)' where name = 'Backhalf app (made by itself)'`,
  `update dashboard_tokens set id = ${ID}, created_at = expires_at - ${LIFETIME}`,
  'create index dashboard_tokens_id on dashboard_tokens (id)',
  'create index dashboard_tokens_created_at on dashboard_tokens (created_at)',
  'create index dashboard_tokens_api_key on dashboard_tokens (api_key_id, created_at)',
]

const tables = (onPostgres: boolean): string[] => [
  `create table link_destinations (
    link_id text not null references links (id),
    revision integer not null,
    destination_url text not null,
    ended_at bigint not null,
    made_by text not null,
    person_id text,
    person_name text,
    remove_at bigint,
    constraint link_destinations_key primary key (link_id, revision)
  )`,
  'create index link_destinations_remove_at on link_destinations (remove_at) where remove_at is not null',
  'create index link_destinations_person on link_destinations (person_id) where person_id is not null',
  `create table tag_sets (
    owner_id text not null references owners (id),
    tags text not null,
    key text not null,
    name text not null,
    constraint tag_sets_key primary key (owner_id, tags, key)
  )${onPostgres ? '' : ' without rowid'}`,
  'create index tag_sets_tag on tag_sets (owner_id, key, tags, name)',
  // The sums that reports read (src/service/store/segments.ts).
  `create table segments (
    id ${onPostgres ? 'bigserial' : 'integer'} primary key,
    owner_id text not null references owners (id),
    domain_id text not null,
    utm_campaign text not null,
    utm_source text not null,
    utm_medium text not null,
    person_id text not null,
    tags text not null,
    key text unique
  )`,
  'create index segments_owner on segments (owner_id, tags)',
  `create table segment_clicks (
    segment_id bigint not null,
    day integer not null,
    people bigint not null,
    constraint segment_clicks_key primary key (segment_id, day)
  )${onPostgres ? '' : ' without rowid'}`,
  `create table destination_problems (
    link_id text primary key,
    destination_hash text not null,
    status text not null,
    reason text not null,
    failures integer not null,
    failed_at bigint not null,
    check_at bigint not null
  )`,
  'create index destination_problems_check_at on destination_problems (check_at)',
  `create index destination_problems_dead on destination_problems (link_id) where status = 'dead'`,
  `create table destination_walk (
    id integer primary key,
    held_by text not null,
    held_until bigint not null,
    at_link text not null,
    walked_at bigint not null
  )`,
]

const APP_TABLES = [
  `create index workspace_settings_report_at on workspace_settings (report_at)
    where report_at is not null`,
  'create table backups (id integer primary key, made_at bigint, failures integer not null)',
  `create table alerts (
    id text primary key,
    workspace_id text not null,
    created_by text not null,
    created_at bigint not null,
    alert text not null,
    memory text not null,
    check_at bigint not null
  )`,
  'create index alerts_workspace on alerts (workspace_id, created_at)',
  'create index alerts_check_at on alerts (check_at, workspace_id)',
  `create table link_approvals (
    id text primary key,
    workspace_id text not null,
    requested_by text not null,
    created_at bigint not null,
    draft text not null,
    taken_until bigint not null
  )`,
  'create index link_approvals_workspace on link_approvals (workspace_id, requested_by)',
  'create index link_approvals_created_at on link_approvals (created_at)',
  `create table imports (
    id text primary key,
    workspace_id text not null,
    created_by text not null,
    created_at bigint not null,
    file_name text not null,
    message text not null,
    state text not null,
    run_at bigint not null
  )`,
  'create index imports_run_at on imports (run_at)',
  'create index imports_workspace on imports (workspace_id)',
  `create table import_rows (
    import_id text not null,
    number integer not null,
    workspace_id text not null,
    draft text not null,
    outcome text,
    primary key (import_id, number)
  )`,
  'create index import_rows_workspace on import_rows (workspace_id)',
]

/** The service fills the index (src/service/store/link-indexer.ts). */
const SQLITE_SEARCH = [
  // The index of 1.0.0, which triggers filled. FTS5 leaves a table behind, which can be dropped once SQLite has read the
  // schema again. This takes 0.4 s for a million links.
  ...['links_added', 'links_removed', 'links_moved', 'links_deleted', 'links_changed'].map(
    (name) => `drop trigger if exists ${name}`,
  ),
  'drop table if exists searched_links',
  'pragma writable_schema = reset',
  ...['searched_links_content', 'link_texts_content', 'link_text_rows', 'link_marks'].map(
    (name) => `drop table if exists ${name}`,
  ),

  // It stores only which links contain which three characters.
  `create virtual table search_index using fts5(
    texts, owner, tokenize = 'trigram', detail = none, content = '', contentless_delete = 1
  )`,
  'create table search_progress (number integer not null, link_id text)',
  'insert into search_progress (number) values (0)',
  'create table search_changes (number integer primary key)',
  `create trigger search_changed
  after update of title, destination_url, hostname, back_half, deleted_at on links when old.deleted_at is null begin
    insert into search_changes (number) values (new.rowid) on conflict do nothing;
  end`,
  // If the last link is removed, the next link can get its number.
  `create trigger search_removed after delete on links begin
    update search_progress set
      number = coalesce((select max(rowid) from links where rowid < old.rowid), 0),
      link_id = (select id from links where rowid < old.rowid order by rowid desc limit 1)
      where number = old.rowid;
  end`,
]

/** What a link is sorted by. It is cut, because PostgreSQL limits the size of an entry of an index. */
const SORT_TITLE = `substr(lower(coalesce(new.title, new.destination_url)), 1, 100)`

/** A line break separates the texts, so that no search matches across two of them. */
const SEARCH_TEXT = `lower(coalesce(new.title, '') || chr(10) || new.destination_url || chr(10) ||
  case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half)`

const POSTGRES_SEARCH = [
  // The index of 1.0.0.
  ...['added', 'removed', 'changed'].map(
    (name) => `drop trigger if exists searched_links_${name} on links`,
  ),
  'drop table if exists searched_links',
  'drop function if exists add_searched_links, remove_searched_links, change_link_text, link_marks, link_mark, link_text',
  // They are columns, because PostgreSQL never reads an expression from an index alone, and because a search reads
  // thousands of texts. A trigger fills them, so that statements can write all columns of a row.
  'alter table links add column sort_title text, add column search_text text',
  `create function fill_search_columns() returns trigger language plpgsql as $$ begin
    new.sort_title := ${SORT_TITLE};
    new.search_text := ${SEARCH_TEXT};
    return new;
  end $$`,
  `create trigger links_search before insert or update of title, destination_url, hostname, back_half on links
    for each row execute function fill_search_columns()`,
]
