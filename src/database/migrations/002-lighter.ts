import { sql, type Kysely } from 'kysely'
import { createExtensions } from '../extensions.ts'
import { SQLITE_COUNTS } from './001-baseline.ts'

/** The changes since version 1.0.0. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  if (bytes === 'bytea') await createExtensions(db)
  const search = bytes === 'blob' ? [...SQLITE_SEARCH, ...SQLITE_COUNTS] : POSTGRES_SEARCH
  for (const statement of search) await sql.raw(statement).execute(db)
}

/** The service fills the index (src/service/store/link-indexer.ts). */
const SQLITE_SEARCH = [
  // Triggers filled the index of 1.0.0, which is dropped later (009-backfills.ts).
  ...['links_added', 'links_removed', 'links_moved', 'links_deleted', 'links_changed'].map(
    (name) => `drop trigger if exists ${name}`,
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
const SORT_TITLE = `substr(lower(coalesce(new.title, new.destination_url)), 1, 100)`

/** A line break separates the texts, so that no search matches across two of them. */
const SEARCH_TEXT = `lower(coalesce(new.title, '') || chr(10) || new.destination_url || chr(10) ||
  case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half)`

const POSTGRES_SEARCH = [
  ...['added', 'removed', 'changed'].map(
    (name) => `drop trigger if exists searched_links_${name} on links`,
  ),
  // They are columns, because PostgreSQL never reads an expression from an index alone, and because a search reads
  // thousands of texts. A trigger fills them, so that statements may write all columns of a row.
  'alter table links add column sort_title text, add column search_text text',
  `create function fill_search_columns() returns trigger language plpgsql as $$ begin
    new.sort_title := ${SORT_TITLE};
    new.search_text := ${SEARCH_TEXT};
    return new;
  end $$`,
  `create trigger links_search before insert or update of title, destination_url, hostname, back_half on links
    for each row execute function fill_search_columns()`,
]
