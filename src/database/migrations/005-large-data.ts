import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type ColumnDataType, type Kysely, type RawBuilder } from 'kysely'

/** Links that are rewritten at once: few enough that memory stays small and other work gets a turn. */
const LINKS_AT_ONCE = 1_000

/**
 * What a service with a million links needs: kept counts of links, a row of totals for every link, an index for
 * searches, and indexes from which a page's ids can be read alone. Destinations become URIs (spec §2.1).
 */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  const isSqlite = bytes === 'blob'
  if (isSqlite) await sqliteSearch(db)
  else await postgresSearch(db)
  await rewriteLinks(db, isSqlite)
  await countLinks(db)
  await run(db, isSqlite ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS)
  await run(db, INDEXES)
  // Our app's own keys are not limited: one key serves everyone in a workspace.
  await sql`update api_keys set requests_per_minute = 0
    where name = 'Backhalf app (made by itself)' and requests_per_minute is null`.execute(db)
}

/**
 * FTS5 stores which links contain which three characters, and nothing else: the texts are in `links`. It has row
 * numbers of its own, because VACUUM may change those of `links`.
 */
async function sqliteSearch(db: Kysely<never>): Promise<void> {
  await sql`create virtual table link_texts using fts5(
    id unindexed, title, destination_url, short_url,
    tokenize = 'trigram', detail = none,
    content = '', contentless_delete = 1, contentless_unindexed = 1
  )`.execute(db)
}

async function postgresSearch(db: Kysely<never>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `the search needs PostgreSQL’s extension pg_trgm, which can’t be created (${reason}). Install the package postgresql-contrib on the server if it is missing. Then run this in the database, as a user who has permission: CREATE EXTENSION pg_trgm`,
      { cause },
    )
  }
  // A line break separates the texts, so that no search matches across two of them.
  await sql`create function link_text(title text, destination_url text, hostname text, back_half text)
    returns text language sql immutable parallel safe
    as $$ select coalesce(title, '') || chr(10) || destination_url || chr(10) ||
      case when hostname = '' then '' else 'https://' || hostname end || '/' || back_half $$`.execute(
    db,
  )
}

/**
 * Rewrites destinations as URIs, and adds missing totals. Their hashes were always made from the URI, so no link
 * becomes a duplicate of another.
 */
async function rewriteLinks(db: Kysely<never>, isSqlite: boolean): Promise<void> {
  for (let last = ''; ;) {
    const { rows } = await sql<{ id: string; destination_url: string }>`
      select id, destination_url from links where id > ${last} order by id limit ${LINKS_AT_ONCE}
    `.execute(db)
    const end = rows.at(-1)?.id
    if (end === undefined) return
    for (const { id, destination_url: typed } of rows) {
      const href = URL.parse(typed)?.href ?? typed
      if (href === typed) continue
      await sql`update links set destination_url = ${href} where id = ${id}`.execute(db)
    }
    const chunk = sql`from links where id > ${last} and id <= ${end}`
    await sql`insert into click_totals (link_id, people) select id, 0 ${chunk} on conflict do nothing`.execute(
      db,
    )
    if (isSqlite) {
      await sql`insert into link_texts (id, title, destination_url, short_url)
        select id, title, destination_url,
          case when hostname = '' then '' else 'https://' || hostname end || '/' || back_half
        ${chunk} order by id`.execute(db)
    }
    last = end
    await nextTurn()
  }
}

/** Kept by triggers in the transaction that adds a link, so that a total is never counted. */
async function countLinks(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('link_counts')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('domain_id', 'text', (column) => column.notNull())
    .addColumn('links', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('link_counts_key', ['owner_id', 'domain_id'])
    .execute()
  await sql`insert into link_counts (owner_id, domain_id, links)
    select owner_id, domain_id, count(*) from links group by owner_id, domain_id`.execute(db)
}

async function run(db: Kysely<never>, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}

const SQLITE_TRIGGERS = [
  sql`create trigger links_added after insert on links begin
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
    insert into click_totals (link_id, people) values (new.id, 0);
    insert into link_texts (id, title, destination_url, short_url) values (
      new.id, new.title, new.destination_url,
      case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half
    );
  end`,
  sql`create trigger links_removed after delete on links begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from link_texts where rowid in (select rowid from link_texts where id = old.id);
  end`,
  sql`create trigger links_changed after update of title, destination_url on links begin
    delete from link_texts where rowid in (select rowid from link_texts where id = old.id);
    insert into link_texts (id, title, destination_url, short_url) values (
      new.id, new.title, new.destination_url,
      case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half
    );
  end`,
]

/** Of each statement once. Owners are counted in one order, so that two statements never block each other. */
const POSTGRES_TRIGGERS = [
  sql`create function count_added_links() returns trigger language plpgsql as $$ begin
    insert into link_counts (owner_id, domain_id, links)
      select owner_id, domain_id, count(*) from added
      group by owner_id, domain_id order by owner_id, domain_id
      on conflict (owner_id, domain_id) do update set links = link_counts.links + excluded.links;
    insert into click_totals (link_id, people) select id, 0 from added;
    return null;
  end $$`,
  sql`create trigger links_added after insert on links referencing new table as added
    for each statement execute function count_added_links()`,
  sql`create function count_removed_links() returns trigger language plpgsql as $$ begin
    update link_counts set links = link_counts.links - gone.links
      from (select owner_id, domain_id, count(*) as links from removed group by owner_id, domain_id) as gone
      where link_counts.owner_id = gone.owner_id and link_counts.domain_id = gone.domain_id;
    return null;
  end $$`,
  sql`create trigger links_removed after delete on links referencing old table as removed
    for each statement execute function count_removed_links()`,
  sql`create index links_text on links
    using gin (link_text(title, destination_url, hostname, back_half) gin_trgm_ops)`,
]

/** Each holds all that a page needs to find its ids. The title is cut, because PostgreSQL limits an entry's size. */
const INDEXES = [
  sql`drop index links_owner_created_at`,
  sql`create index links_owner_created_at on links (owner_id, created_at, id, domain_id)`,
  sql`drop index links_owner_updated_at`,
  sql`create index links_owner_updated_at on links (owner_id, updated_at, id, domain_id)`,
  sql`create index links_title on links (substr(lower(coalesce(title, destination_url)), 1, 100), id)`,
  sql`create index click_totals_people on click_totals (people, link_id)`,
]
