import { sql, type Kysely } from 'kysely'

/** Tags of links. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  const statements = tags(bytes === 'blob' ? ' without rowid' : '')
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The index of links has all that is needed to find a page of those with certain tags. */
const tags = (options: string): string[] => [
  'alter table links add column tags text',
  `create table tag_sets (
    owner_id text not null references owners (id),
    tags text not null,
    key text not null,
    name text not null,
    constraint tag_sets_key primary key (owner_id, tags, key)
  )${options}`,
  'create index tag_sets_tag on tag_sets (owner_id, key, tags, name)',
  `create index links_tagged on links (owner_id, tags, created_at, id, domain_id)
    where tags is not null and deleted_at is null`,
  // Each owner's report of a Monday asks which links end soon. Without the index, each would read all links that expire.
  `create index links_ending on links (owner_id, expires_at)
    where enabled = 1 and expires_at is not null and deleted_at is null`,
]
