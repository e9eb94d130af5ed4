import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type ColumnDataType, type Kysely, type RawBuilder } from 'kysely'

/** Links whose texts are indexed at once: few enough that memory stays small and other work gets a turn. */
const LINKS_AT_ONCE = 1_000

/**
 * What it takes to find one owner's few links among another's million: the search index also knows each link's
 * owner, domain record and state, as marks that no text contains (src/service/store/link-matches.ts). The search
 * index of PostgreSQL is in blocks of links, so that a search can begin with the newest and stop.
 */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  const isSqlite = bytes === 'blob'
  if (isSqlite) await sqliteSearch(db)
  else await run(db, POSTGRES_SEARCH)
  await run(db, INDEXES)
}

async function run(db: Kysely<never>, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}

/**
 * FTS5 finds groups of three characters. So a mark is three characters of Unicode's private-use range:
 * the number of an owner or a domain record, or one of two fixed marks.
 */
async function sqliteSearch(db: Kysely<never>): Promise<void> {
  await sql`create table link_marks (
    number integer primary key,
    name text not null unique,
    mark text not null generated always as (
      char(983040 + (number >> 24), 983040 + (number >> 12 & 4095), 983040 + (number & 4095))
    ) virtual
  )`.execute(db)
  await sql`insert into link_marks (name)
    select 'owner ' || id from owners union all select 'domain ' || id from domains`.execute(db)
  // When an index with an unindexed column is dropped, FTS5 leaves one of its tables behind, and we can't drop it.
  await sql`insert into link_texts (link_texts) values ('delete-all')`.execute(db)
  for (const trigger of ['links_added', 'links_changed', 'links_removed', 'links_deleted']) {
    await sql`drop trigger ${sql.ref(trigger)}`.execute(db)
  }
  await sql`drop table link_texts`.execute(db)
  await sql`create virtual table searched_links using fts5(
    id unindexed, title, destination_url, short_url, owner, domain, state,
    tokenize = 'trigram', detail = none,
    content = '', contentless_delete = 1, contentless_unindexed = 1
  )`.execute(db)
  for (let last = ''; ;) {
    const { rows } = await sql<{ id: string }>`
      select link_id as id from link_text_rows where link_id > ${last} order by link_id limit ${LINKS_AT_ONCE}
    `.execute(db)
    const end = rows.at(-1)?.id
    if (end === undefined) break
    await sql`insert into searched_links (rowid, id, title, destination_url, short_url, owner, domain, state)
      select link_text_rows.number, ${TEXTS('links')}
      from link_text_rows cross join links on links.id = link_text_rows.link_id
      where link_id > ${last} and link_id <= ${end} order by link_id`.execute(db)
    last = end
    await nextTurn()
  }
  await run(db, SQLITE_TRIGGERS)
}

/** What the search index holds of a row of `links`. */
const TEXTS = (row: 'new' | 'links') => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql`${of('id')}, ${of('title')}, ${of('destination_url')},
    case when ${of('hostname')} = '' then '' else 'https://' || ${of('hostname')} end || '/' || ${of('back_half')},
    (select mark from link_marks where name = 'owner ' || ${of('owner_id')}),
    (select mark from link_marks where name = 'domain ' || ${of('domain_id')}),
    case when ${of('enabled')} = 0 then char(1048577, 1048577, 1048577) else '' end ||
      case when ${of('expires_at')} is null then '' else char(1048578, 1048578, 1048578) end`
}

const SQLITE_TRIGGERS = [
  sql`create trigger links_added after insert on links when new.deleted_at is null begin
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
    insert into click_totals (link_id, people) values (new.id, 0);
    insert into link_marks (name) values ('owner ' || new.owner_id), ('domain ' || new.domain_id)
      on conflict (name) do nothing;
    insert into searched_links (id, title, destination_url, short_url, owner, domain, state)
      values (${TEXTS('new')});
    insert into link_text_rows (link_id, number) values (new.id, last_insert_rowid());
  end`,
  sql`create trigger links_changed
  after update of title, destination_url, hostname, back_half, domain_id, enabled, expires_at on links
  when new.deleted_at is null begin
    insert into link_marks (name) values ('domain ' || new.domain_id) on conflict (name) do nothing;
    delete from searched_links where rowid = (select number from link_text_rows where link_id = new.id);
    insert into searched_links (rowid, id, title, destination_url, short_url, owner, domain, state)
      select number, ${TEXTS('new')} from link_text_rows where link_id = new.id;
  end`,
  sql`create trigger links_removed after delete on links when old.deleted_at is null begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from searched_links where rowid = (select number from link_text_rows where link_id = old.id);
    delete from link_text_rows where link_id = old.id;
  end`,
  sql`create trigger links_deleted after update of deleted_at on links
  when old.deleted_at is null and new.deleted_at is not null begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from click_totals where link_id = old.id;
    delete from searched_links where rowid = (select number from link_text_rows where link_id = old.id);
    delete from link_text_rows where link_id = old.id;
  end`,
]

/**
 * A mark is the hash of a group of three characters, of an owner, a domain record or a state, within a block of
 * 8,192 links. Entries go into the index in batches, which is four times as fast as each at once. The list of waiting entries
 * is short (64 kB), because each block of a search reads it.
 */
const POSTGRES_SEARCH = [
  sql`set local statement_timeout = 0`,
  sql`create function link_mark(block bigint, name text) returns bigint
    language sql immutable parallel safe as $$ select block << 32 | (hashtext(name)::bigint & 4294967295) $$`,
  sql`create function link_marks(
    number bigint, texts text, owner_id text, domain_id text, enabled integer, expires_at bigint
  ) returns bigint[] language plpgsql immutable parallel safe cost 1000 as $$
  declare
    block bigint := number >> 13;
    marks bigint[] := array[link_mark(block, 'owner ' || owner_id), link_mark(block, 'domain ' || domain_id)];
    before text := '';
    last text := '';
    letter text;
  begin
    if enabled = 0 then marks := marks || link_mark(block, 'state off'); end if;
    if expires_at is not null then marks := marks || link_mark(block, 'state expiring'); end if;
    foreach letter in array string_to_array(lower(texts), null) loop
      if before <> '' then marks := marks || link_mark(block, before || last || letter); end if;
      before := last;
      last := letter;
    end loop;
    return marks;
  end $$`,
  sql`create table searched_links (
    number bigint generated always as identity primary key,
    link_id text not null,
    owner_id text not null,
    domain_id text not null,
    enabled integer not null,
    expires_at bigint,
    texts text not null,
    sort_title text not null
  )`,
  sql`create function add_searched_links() returns trigger language plpgsql as $$ begin
    insert into searched_links (link_id, owner_id, domain_id, enabled, expires_at, texts, sort_title)
      select id, owner_id, domain_id, enabled, expires_at,
        link_text(title, destination_url, hostname, back_half),
        substr(lower(coalesce(title, destination_url)), 1, 100)
      from added where deleted_at is null order by id;
    return null;
  end $$`,
  sql`create function remove_searched_links() returns trigger language plpgsql as $$ begin
    delete from searched_links where link_id in (select id from removed);
    return null;
  end $$`,
  sql`create function change_link_text() returns trigger language plpgsql as $$ begin
    if new.deleted_at is not null then
      delete from searched_links where link_id = new.id;
    else
      update searched_links set domain_id = new.domain_id, enabled = new.enabled, expires_at = new.expires_at,
        texts = link_text(new.title, new.destination_url, new.hostname, new.back_half),
        sort_title = substr(lower(coalesce(new.title, new.destination_url)), 1, 100)
        where link_id = new.id;
    end if;
    return null;
  end $$`,
  sql`insert into searched_links (link_id, owner_id, domain_id, enabled, expires_at, texts, sort_title)
    select id, owner_id, domain_id, enabled, expires_at,
      link_text(title, destination_url, hostname, back_half),
      substr(lower(coalesce(title, destination_url)), 1, 100)
    from links where deleted_at is null order by id`,
  sql`create unique index searched_links_link on searched_links (link_id)`,
  sql`create index searched_links_title on searched_links (sort_title, link_id)`,
  sql`create index searched_links_marks on searched_links
    using gin (link_marks(number, texts, owner_id, domain_id, enabled, expires_at)) with (gin_pending_list_limit = 64)`,
  sql`drop index links_text`,
  sql`drop index links_title`,
  sql`create trigger searched_links_added after insert on links referencing new table as added
    for each statement execute function add_searched_links()`,
  sql`create trigger searched_links_removed after delete on links referencing old table as removed
    for each statement execute function remove_searched_links()`,
  sql`create trigger searched_links_changed
    after update of title, destination_url, hostname, back_half, domain_id, enabled, expires_at, deleted_at on links
    for each row when (old.deleted_at is null) execute function change_link_text()`,
]

/** From these, the dashboard reads the links of a domain record, and the deleted links. */
const INDEXES = [
  sql`create index links_domain on links (domain_id, id) where deleted_at is null`,
  sql`create index links_deleted on links (id) where deleted_at is not null and alias_of is null`,
]
