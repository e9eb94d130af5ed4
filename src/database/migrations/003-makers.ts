import { sql, type Kysely } from 'kysely'

/** Who made and changed links, and where they led before. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // The history names the key, and the service revokes its own keys by this name (store/provision.ts).
  `update api_keys set name = 'Backhalf app (automatic key)' where name = 'Backhalf app (made by itself)'`,
  'alter table links add column made_by text',
  ...['links', 'link_history'].flatMap((table) => [
    `alter table ${table} add column person_id text`,
    `alter table ${table} add column person_name text`,
  ]),
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
]
