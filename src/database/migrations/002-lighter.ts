import { sql, type Kysely } from 'kysely'
import { createExtensions } from '../extensions.ts'
import { SQLITE_COUNTS } from './001-baseline.ts'

/** The changes since version 1.0.0. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  if (bytes === 'bytea') await createExtensions(db)
  const search = bytes === 'blob' ? [...SQLITE_SEARCH, ...SQLITE_COUNTS] : POSTGRES_SEARCH
  for (const statement of [...search, ...STATES]) await sql.raw(statement).execute(db)
}

/** The service fills the index (src/service/store/link-indexer.ts). */
const SQLITE_SEARCH = [
  // The index of 1.0.0, which triggers filled. FTS5 leaves a table behind, which can be dropped once SQLite has read the
  // schema again.
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
  // The next link may get the number of the last one, if that is removed.
  `create trigger search_removed after delete on links begin
    update search_progress set
      number = coalesce((select max(rowid) from links where rowid < old.rowid), 0),
      link_id = (select id from links where rowid < old.rowid order by rowid desc limit 1)
      where number = old.rowid;
  end`,
]

/** What a link is sorted by. It is cut, because PostgreSQL limits the size of an entry of an index. */
const SORT_TITLE = (of: string) =>
  `substr(lower(coalesce(${of}title, ${of}destination_url)), 1, 100)`

/** A line break separates the texts, so that no search matches across two of them. */
const SEARCH_TEXT = (
  of: string,
) => `lower(coalesce(${of}title, '') || chr(10) || ${of}destination_url || chr(10) ||
  case when ${of}hostname = '' then '' else 'https://' || ${of}hostname end || '/' || ${of}back_half)`

/** pg_trgm finds links by groups of three characters, and btree_gin by their owner in the same index. */
const POSTGRES_SEARCH = [
  // The index of 1.0.0.
  ...['added', 'removed', 'changed'].map(
    (name) => `drop trigger if exists searched_links_${name} on links`,
  ),
  'drop table if exists searched_links',
  'drop function if exists add_searched_links, remove_searched_links, change_link_text, link_marks, link_mark, link_text',

  // They are columns, because PostgreSQL never reads an expression from an index alone, and because a search reads
  // thousands of texts. As generated columns, they are filled while the table is rewritten once. Then a trigger fills them, so
  // that statements may write all columns of a row.
  `alter table links add column sort_title text generated always as (${SORT_TITLE('')}) stored,
    add column search_text text generated always as (${SEARCH_TEXT('')}) stored`,
  'alter table links alter column sort_title drop expression, alter column search_text drop expression',
  `create function fill_search_columns() returns trigger language plpgsql as $$ begin
    new.sort_title := ${SORT_TITLE('new.')};
    new.search_text := ${SEARCH_TEXT('new.')};
    return new;
  end $$`,
  `create trigger links_search before insert or update of title, destination_url, hostname, back_half on links
    for each row execute function fill_search_columns()`,
  'create index links_title on links (sort_title, id) where deleted_at is null',
  // Entries go into the index in batches, which takes a third of the time. Every search reads the list of those
  // that wait, so it is short (in kB).
  `create index links_search on links using gin (owner_id, search_text gin_trgm_ops)
    with (gin_pending_list_limit = 256) where deleted_at is null`,
]

/** The dashboard lists links that are turned off or have expired from these indexes. */
const STATES = [
  'create index links_off on links (id) where enabled = 0 and deleted_at is null',
  'create index links_expiring on links (id) where expires_at is not null and deleted_at is null',
]
