import { sql, type ColumnDataType, type Kysely, type RawBuilder } from 'kysely'

/**
 * Links can be changed, turned off, expire and be deleted (src/database/schema.ts describes the columns). A row is
 * never removed, so that the constraint `links_short_url` protects every back-half that was ever assigned.
 */
export async function up(db: Kysely<never>, bytes: ColumnDataType): Promise<void> {
  const isSqlite = bytes === 'blob'
  if (!isSqlite) await sql`set local statement_timeout = 0`.execute(db)
  await addColumns(db)
  await addHistory(db, isSqlite)
  await addReferrers(db)
  if (isSqlite) await numberTexts(db)
  await run(db, isSqlite ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS)
  await run(db, INDEXES)
}

async function addColumns(db: Kysely<never>): Promise<void> {
  for (const name of ['enabled', 'revision']) {
    await db.schema
      .alterTable('links')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  }
  for (const name of ['expires_at', 'deleted_at']) {
    await db.schema.alterTable('links').addColumn(name, 'bigint').execute()
  }
  await db.schema
    .alterTable('links')
    .addColumn('alias_of', 'text', (column) => column.references('links.id'))
    .execute()
  await sql`create index links_alias_of on links (alias_of) where alias_of is not null`.execute(db)
}

/** The ids count up in the order of the commits on SQLite, where only one transaction writes at a time. */
async function addHistory(db: Kysely<never>, isSqlite: boolean): Promise<void> {
  await db.schema
    .createTable('link_history')
    .addColumn('id', isSqlite ? 'integer' : 'bigserial', (column) => column.primaryKey())
    .addColumn('link_id', 'text', (column) => column.notNull().references('links.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('link_history_link')
    .on('link_history')
    .columns(['link_id', 'id'])
    .execute()
}

async function addReferrers(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('referrers')
    .addColumn('link_id', 'text', (column) => column.notNull().references('links.id'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('people', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('referrers_key', ['link_id', 'day', 'host'])
    .execute()
}

/**
 * Remembers which row of the search index belongs to a link, because FTS5 can't find a row by the link's id
 * without reading all of them.
 */
async function numberTexts(db: Kysely<never>): Promise<void> {
  await sql`create table link_text_rows (link_id text primary key, number integer not null) without rowid`.execute(
    db,
  )
  await sql`insert into link_text_rows (link_id, number) select id, rowid from link_texts`.execute(
    db,
  )
}

async function run(db: Kysely<never>, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}

const SHORT_URL_OF_NEW = sql`case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half`

/** Counts, totals and the search index cover only links that are not deleted. */
const SQLITE_TRIGGERS = [
  sql`drop trigger links_added`,
  sql`create trigger links_added after insert on links when new.deleted_at is null begin
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
    insert into click_totals (link_id, people) values (new.id, 0);
    insert into link_texts (id, title, destination_url, short_url)
      values (new.id, new.title, new.destination_url, ${SHORT_URL_OF_NEW});
    insert into link_text_rows (link_id, number) values (new.id, last_insert_rowid());
  end`,
  sql`drop trigger links_removed`,
  sql`create trigger links_removed after delete on links when old.deleted_at is null begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from link_texts where rowid = (select number from link_text_rows where link_id = old.id);
    delete from link_text_rows where link_id = old.id;
  end`,
  sql`drop trigger links_changed`,
  sql`create trigger links_changed after update of title, destination_url, hostname, back_half on links
  when new.deleted_at is null begin
    delete from link_texts where rowid = (select number from link_text_rows where link_id = new.id);
    insert into link_texts (rowid, id, title, destination_url, short_url)
      select number, new.id, new.title, new.destination_url, ${SHORT_URL_OF_NEW}
      from link_text_rows where link_id = new.id;
  end`,
  sql`create trigger links_moved after update of domain_id on links
  when new.deleted_at is null and old.domain_id <> new.domain_id begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
  end`,
  sql`create trigger links_deleted after update of deleted_at on links
  when old.deleted_at is null and new.deleted_at is not null begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from click_totals where link_id = old.id;
    delete from link_texts where rowid = (select number from link_text_rows where link_id = old.id);
    delete from link_text_rows where link_id = old.id;
  end`,
]

const POSTGRES_TRIGGERS = [
  sql`create or replace function count_added_links() returns trigger language plpgsql as $$ begin
    insert into link_counts (owner_id, domain_id, links)
      select owner_id, domain_id, count(*) from added where deleted_at is null
      group by owner_id, domain_id order by owner_id, domain_id
      on conflict (owner_id, domain_id) do update set links = link_counts.links + excluded.links;
    insert into click_totals (link_id, people) select id, 0 from added where deleted_at is null;
    return null;
  end $$`,
  sql`create or replace function count_removed_links() returns trigger language plpgsql as $$ begin
    update link_counts set links = link_counts.links - gone.links
      from (
        select owner_id, domain_id, count(*) as links from removed where deleted_at is null
        group by owner_id, domain_id
      ) as gone
      where link_counts.owner_id = gone.owner_id and link_counts.domain_id = gone.domain_id;
    return null;
  end $$`,
  sql`create function count_changed_link() returns trigger language plpgsql as $$ begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    if new.deleted_at is null then
      insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
        on conflict (owner_id, domain_id) do update set links = link_counts.links + 1;
    else
      delete from click_totals where link_id = old.id;
    end if;
    return null;
  end $$`,
  sql`create trigger links_moved after update of domain_id, deleted_at on links
    for each row when (
      old.deleted_at is null and (new.deleted_at is not null or old.domain_id <> new.domain_id)
    ) execute function count_changed_link()`,
  // Notifies the other processes once the change is committed (src/service/store/changed-links.ts).
  sql`create function announce_link_change() returns trigger language plpgsql as $$ begin
    perform pg_notify('link_changed', new.link_id);
    return null;
  end $$`,
  sql`create trigger link_history_added after insert on link_history
    for each row execute function announce_link_change()`,
]

/** The same as in migration 005, of links that are not deleted. */
const INDEXES = [
  sql`drop index links_owner_created_at`,
  sql`create index links_owner_created_at on links (owner_id, created_at, id, domain_id) where deleted_at is null`,
  sql`drop index links_owner_updated_at`,
  sql`create index links_owner_updated_at on links (owner_id, updated_at, id, domain_id) where deleted_at is null`,
  sql`drop index links_title`,
  sql`create index links_title on links (substr(lower(coalesce(title, destination_url)), 1, 100), id) where deleted_at is null`,
  sql`create index links_newest on links (id) where deleted_at is null`,
]
