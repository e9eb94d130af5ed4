import { sql, type Kysely } from 'kysely'

/**
 * The schema of version 1.0.0. src/database/schema.ts describes the columns. A database of that version has recorded
 * the steps that led to it; they are replaced by this one (src/database/migrate.ts).
 *
 * @param bytes the database's column type for raw bytes
 */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  const isSqlite = bytes === 'blob'
  const statements = [
    ...tables(bytes, isSqlite ? 'integer' : 'bigserial'),
    ...INDEXES,
    ...(isSqlite ? SQLITE_COUNTS : POSTGRES_COUNTS),
    ...(isSqlite ? SQLITE_SEARCH : POSTGRES_SEARCH),
    // The built-in record. All owners share it, and its hostname is that of SERVICE_PUBLIC_URL.
    `insert into domains (id, domain_name, created_at) values ('default', '', 0)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const tables = (bytes: string, counting: string): string[] => [
  // The app
  `create table workspace_connections (
    workspace_id text primary key,
    sealed ${bytes} not null,
    connected_by text,
    connected_at bigint not null,
    key_notice_after bigint
  )`,
  `create table installations (
    workspace_id text primary key,
    sealed ${bytes} not null,
    installed_by text,
    installed_at bigint not null
  )`,
  `create table workspace_settings (
    workspace_id text primary key,
    settings text not null,
    updated_by text not null,
    updated_at bigint not null
  )`,
  `create table recent_utm (
    workspace_id text not null,
    user_id text not null,
    utm text not null,
    used_at bigint not null,
    constraint recent_utm_key primary key (workspace_id, user_id)
  )`,
  `create table made_links (
    workspace_id text not null,
    short_url text not null,
    destination_url text not null,
    title text,
    preview_title text,
    preview_description text,
    preview_image_url text,
    made_by text,
    made_at bigint not null,
    link_name text,
    expires_at bigint,
    scheme text,
    superseded integer not null default 0,
    remind_at bigint,
    constraint made_links_key primary key (workspace_id, short_url)
  )`,
  `create table deliveries (
    id text primary key,
    claimed_by text not null,
    alive_at bigint not null,
    sealed ${bytes},
    acknowledgement ${bytes}
  )`,
  `create table home_tabs (
    workspace_id text not null,
    user_id text not null,
    page text not null,
    drawing bigint not null,
    constraint home_tabs_key primary key (workspace_id, user_id)
  )`,

  // The link service
  `create table owners (
    id text primary key,
    kind text not null,
    name text not null,
    external_id text unique,
    created_at bigint not null,
    max_links integer
  )`,
  `create table domains (
    id text primary key,
    domain_name text not null,
    owner_id text references owners (id),
    created_at bigint not null
  )`,
  `create table api_keys (
    id text primary key,
    owner_id text not null references owners (id),
    name text not null,
    description text,
    hash text not null unique,
    prefix text not null,
    permissions text not null,
    scopes text not null,
    domain_ids text,
    created_at bigint not null,
    revoked_at bigint,
    expires_at bigint,
    last_used_at bigint,
    requests_per_minute bigint
  )`,
  // The two unique constraints decide the conflicts of spec §4.1, also between simultaneous creates. A row is never
  // removed, so that links_short_url protects every back-half that was ever assigned.
  `create table links (
    id text primary key,
    owner_id text not null references owners (id),
    domain_id text not null references domains (id),
    hostname text not null,
    back_half text not null,
    destination_url text not null,
    destination_hash text not null,
    title text,
    utm_analytics_enabled integer not null,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    utm_id text,
    is_custom_preview integer not null,
    preview_title text,
    preview_description text,
    preview_image_type text,
    qr_code_enabled integer not null,
    qr_code_color text,
    created_at bigint not null,
    updated_at bigint not null,
    preview_image_width integer,
    preview_image_height integer,
    enabled integer not null default 1,
    revision integer not null default 1,
    expires_at bigint,
    deleted_at bigint,
    alias_of text references links (id),
    constraint links_short_url unique (hostname, back_half),
    constraint links_destination unique (owner_id, domain_id, destination_hash)
  )`,
  `create table preview_images (
    link_id text primary key references links (id),
    bytes ${bytes} not null
  )`,
  `create table link_counts (
    owner_id text not null,
    domain_id text not null,
    links bigint not null,
    constraint link_counts_key primary key (owner_id, domain_id)
  )`,
  `create table clicks (
    link_id text not null references links (id),
    day text not null,
    people bigint not null,
    bots bigint not null,
    constraint clicks_key primary key (link_id, day)
  )`,
  `create table click_totals (
    link_id text primary key references links (id),
    people bigint not null
  )`,
  `create table referrers (
    link_id text not null references links (id),
    day text not null,
    host text not null,
    people bigint not null,
    constraint referrers_key primary key (link_id, day, host)
  )`,
  // On SQLite, where only one transaction writes at a time, the ids count up in the order of the commits.
  `create table link_history (
    id ${counting} primary key,
    link_id text not null references links (id),
    at bigint not null,
    made_by text not null,
    changes text not null
  )`,
  `create table idempotent_answers (
    api_key_id text not null references api_keys (id),
    idempotency_key text not null,
    request_hash text not null,
    answer text not null,
    created_at bigint not null,
    constraint idempotent_answers_key primary key (api_key_id, idempotency_key)
  )`,
  `create table dashboard_passwords (
    id text primary key,
    hash text not null,
    failures integer not null,
    locked_until bigint not null
  )`,
  `create table dashboard_tokens (
    hash text primary key,
    kind text not null,
    expires_at bigint not null
  )`,
  `create table public_hosts (
    host varchar(260) primary key,
    used_at bigint not null
  )`,
]

/** Those of links hold all that a page of a list needs to find its ids. */
const INDEXES = [
  `create index made_links_newest on made_links (workspace_id, made_at)`,
  `create index made_links_maker on made_links (workspace_id, made_by, made_at)`,
  `create index made_links_link_name on made_links (workspace_id, link_name)`,
  `create index made_links_remind_at on made_links (remind_at) where remind_at is not null`,
  `create index deliveries_alive_at on deliveries (alive_at)`,
  `create index domains_domain_name on domains (domain_name)`,
  `create index links_owner_created_at on links (owner_id, created_at, id, domain_id) where deleted_at is null`,
  `create index links_owner_updated_at on links (owner_id, updated_at, id, domain_id) where deleted_at is null`,
  `create index links_domain on links (domain_id, id) where deleted_at is null`,
  `create index links_newest on links (id) where deleted_at is null`,
  `create index links_deleted on links (id) where deleted_at is not null and alias_of is null`,
  `create index links_alias_of on links (alias_of) where alias_of is not null`,
  `create index click_totals_people on click_totals (people, link_id)`,
  `create index link_history_link on link_history (link_id, id)`,
  `create index idempotent_answers_created_at on idempotent_answers (created_at)`,
]

/** Numbers of links, and a row of totals for each link, are kept in the transaction that adds a link. */
const SQLITE_COUNTS = [
  `create trigger links_moved after update of domain_id on links
  when new.deleted_at is null and old.domain_id <> new.domain_id begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
  end`,
]

/** The same, once for each statement. Owners are counted in one order, so that two statements never block each other. */
const POSTGRES_COUNTS = [
  `create function count_added_links() returns trigger language plpgsql as $$ begin
    insert into link_counts (owner_id, domain_id, links)
      select owner_id, domain_id, count(*) from added where deleted_at is null
      group by owner_id, domain_id order by owner_id, domain_id
      on conflict (owner_id, domain_id) do update set links = link_counts.links + excluded.links;
    insert into click_totals (link_id, people) select id, 0 from added where deleted_at is null;
    return null;
  end $$`,
  `create trigger links_added after insert on links referencing new table as added
    for each statement execute function count_added_links()`,
  `create function count_removed_links() returns trigger language plpgsql as $$ begin
    update link_counts set links = link_counts.links - gone.links
      from (
        select owner_id, domain_id, count(*) as links from removed where deleted_at is null
        group by owner_id, domain_id
      ) as gone
      where link_counts.owner_id = gone.owner_id and link_counts.domain_id = gone.domain_id;
    return null;
  end $$`,
  `create trigger links_removed after delete on links referencing old table as removed
    for each statement execute function count_removed_links()`,
  `create function count_changed_link() returns trigger language plpgsql as $$ begin
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
  `create trigger links_moved after update of domain_id, deleted_at on links
    for each row when (
      old.deleted_at is null and (new.deleted_at is not null or old.domain_id <> new.domain_id)
    ) execute function count_changed_link()`,
  // Notifies the other processes once the change is committed (src/service/store/changed-links.ts).
  `create function announce_link_change() returns trigger language plpgsql as $$ begin
    perform pg_notify('link_changed', new.link_id);
    return null;
  end $$`,
  `create trigger link_history_added after insert on link_history
    for each row execute function announce_link_change()`,
]

/** What the search index holds of a new row of `links`. */
const TEXTS = `new.id, new.title, new.destination_url,
    case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half,
    (select mark from link_marks where name = 'owner ' || new.owner_id),
    (select mark from link_marks where name = 'domain ' || new.domain_id),
    case when new.enabled = 0 then char(1048577, 1048577, 1048577) else '' end ||
      case when new.expires_at is null then '' else char(1048578, 1048578, 1048578) end`

/** FTS5 finds groups of three characters. A mark is such a group, which no text contains. */
const SQLITE_SEARCH = [
  `create index links_title on links (substr(lower(coalesce(title, destination_url)), 1, 100), id) where deleted_at is null`,
  `create table link_text_rows (link_id text primary key, number integer not null) without rowid`,
  `create table link_marks (
    number integer primary key,
    name text not null unique,
    mark text not null generated always as (
      char(983040 + (number >> 24), 983040 + (number >> 12 & 4095), 983040 + (number & 4095))
    ) virtual
  )`,
  `create virtual table searched_links using fts5(
    id unindexed, title, destination_url, short_url, owner, domain, state,
    tokenize = 'trigram', detail = none,
    content = '', contentless_delete = 1, contentless_unindexed = 1
  )`,
  `create trigger links_added after insert on links when new.deleted_at is null begin
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
    insert into click_totals (link_id, people) values (new.id, 0);
    insert into link_marks (name) values ('owner ' || new.owner_id), ('domain ' || new.domain_id)
      on conflict (name) do nothing;
    insert into searched_links (id, title, destination_url, short_url, owner, domain, state)
      values (${TEXTS});
    insert into link_text_rows (link_id, number) values (new.id, last_insert_rowid());
  end`,
  `create trigger links_changed
  after update of title, destination_url, hostname, back_half, domain_id, enabled, expires_at on links
  when new.deleted_at is null begin
    insert into link_marks (name) values ('domain ' || new.domain_id) on conflict (name) do nothing;
    delete from searched_links where rowid = (select number from link_text_rows where link_id = new.id);
    insert into searched_links (rowid, id, title, destination_url, short_url, owner, domain, state)
      select number, ${TEXTS} from link_text_rows where link_id = new.id;
  end`,
  `create trigger links_removed after delete on links when old.deleted_at is null begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from searched_links where rowid = (select number from link_text_rows where link_id = old.id);
    delete from link_text_rows where link_id = old.id;
  end`,
  `create trigger links_deleted after update of deleted_at on links
  when old.deleted_at is null and new.deleted_at is not null begin
    update link_counts set links = links - 1
      where owner_id = old.owner_id and domain_id = old.domain_id;
    delete from click_totals where link_id = old.id;
    delete from searched_links where rowid = (select number from link_text_rows where link_id = old.id);
    delete from link_text_rows where link_id = old.id;
  end`,
]

/**
 * A mark is the hash of a group of three characters, of an owner, a domain record or a state, within a block of 8,192
 * links.
 */
const POSTGRES_SEARCH = [
  `create function link_text(title text, destination_url text, hostname text, back_half text)
      returns text language sql immutable parallel safe
      as $$ select coalesce(title, '') || chr(10) || destination_url || chr(10) ||
        case when hostname = '' then '' else 'https://' || hostname end || '/' || back_half $$`,
  `create function link_mark(block bigint, name text) returns bigint
    language sql immutable parallel safe as $$ select block << 32 | (hashtext(name)::bigint & 4294967295) $$`,
  `create function link_marks(
    number bigint, texts text, owner_id text, domain_id text, enabled integer, expires_at bigint
  ) returns bigint[] language plpgsql immutable parallel safe cost 1000 set search_path from current as $$
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
  `create table searched_links (
    number bigint generated always as identity primary key,
    link_id text not null,
    owner_id text not null,
    domain_id text not null,
    enabled integer not null,
    expires_at bigint,
    texts text not null,
    sort_title text not null
  )`,
  `create function add_searched_links() returns trigger language plpgsql as $$ begin
    insert into searched_links (link_id, owner_id, domain_id, enabled, expires_at, texts, sort_title)
      select id, owner_id, domain_id, enabled, expires_at,
        link_text(title, destination_url, hostname, back_half),
        substr(lower(coalesce(title, destination_url)), 1, 100)
      from added where deleted_at is null order by id;
    return null;
  end $$`,
  `create function remove_searched_links() returns trigger language plpgsql as $$ begin
    delete from searched_links where link_id in (select id from removed);
    return null;
  end $$`,
  `create function change_link_text() returns trigger language plpgsql as $$ begin
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
  `create unique index searched_links_link on searched_links (link_id)`,
  `create index searched_links_title on searched_links (sort_title, link_id)`,
  `create index searched_links_marks on searched_links
    using gin (link_marks(number, texts, owner_id, domain_id, enabled, expires_at)) with (gin_pending_list_limit = 64)`,
  `create trigger searched_links_added after insert on links referencing new table as added
    for each statement execute function add_searched_links()`,
  `create trigger searched_links_removed after delete on links referencing old table as removed
    for each statement execute function remove_searched_links()`,
  `create trigger searched_links_changed
    after update of title, destination_url, hostname, back_half, domain_id, enabled, expires_at, deleted_at on links
    for each row when (old.deleted_at is null) execute function change_link_text()`,
]
