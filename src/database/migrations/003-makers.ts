import { sql, type Kysely } from 'kysely'

/** Who made and changed links, and where they led before. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  const statements = [...MAKERS, ...destinations(bytes === 'bytea')]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const MAKERS = [
  // The history names the key, and the service revokes its own keys by this name (store/provision.ts).
  `update api_keys set name = 'Backhalf app (automatic key)' where name = 'Backhalf app (made by itself)'`,
  'alter table links add column made_by text',
  ...['links', 'link_history'].flatMap((table) => [
    `alter table ${table} add column person_id text`,
    `alter table ${table} add column person_name text`,
  ]),
]

/** The history has the destinations of earlier changes. Each change made a new revision. */
const destinations = (isPostgres: boolean): string[] => [
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
  `insert into link_destinations (link_id, revision, destination_url, ended_at, made_by)
  select link_id, revision, destination_url, at, made_by from (
    select link_id, at, link_history.made_by,
      links.revision - row_number() over (partition by link_id order by link_history.id desc) as revision,
      ${isPostgres ? `changes::json #>> '{destination_url,0}'` : `changes ->> '$.destination_url[0]'`} as destination_url
    from link_history join links on links.id = link_history.link_id
  ) as changed where destination_url is not null`,
]
