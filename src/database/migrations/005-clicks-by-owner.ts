import { sql, type Kysely } from 'kysely'

/**
 * Totals of clicks with the link's owner and domain record, so that an index has all that is needed to find the ids of
 * any page of an owner's links by clicks. Version 1.0.0 writes no owner (008-beside-1-0-0.ts).
 */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  const statements = [...COLUMNS, ...(bytes === 'blob' ? SQLITE : POSTGRES)]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const COLUMNS = ['owner_id', 'domain_id'].map(
  (name) => `alter table click_totals add column ${name} text not null default ''`,
)

const SQLITE = [
  'drop trigger links_added',
  `create trigger links_added after insert on links when new.deleted_at is null begin
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
    insert into click_totals (link_id, people, owner_id, domain_id)
      values (new.id, 0, new.owner_id, new.domain_id);
  end`,
  `create trigger links_moved_totals after update of domain_id on links
  when new.deleted_at is null and old.domain_id <> new.domain_id begin
    update click_totals set domain_id = new.domain_id where link_id = new.id;
  end`,
]

const POSTGRES = [
  `create or replace function count_added_links() returns trigger language plpgsql as $$ begin
    insert into link_counts (owner_id, domain_id, links)
      select owner_id, domain_id, count(*) from added where deleted_at is null
      group by owner_id, domain_id order by owner_id, domain_id
      on conflict (owner_id, domain_id) do update set links = link_counts.links + excluded.links;
    insert into click_totals (link_id, people, owner_id, domain_id)
      select id, 0, owner_id, domain_id from added where deleted_at is null;
    return null;
  end $$`,
  `create function move_click_totals() returns trigger language plpgsql as $$ begin
    update click_totals set domain_id = new.domain_id where link_id = new.id;
    return null;
  end $$`,
  `create trigger links_moved_totals after update of domain_id on links
    for each row when (new.deleted_at is null and old.domain_id <> new.domain_id)
    execute function move_click_totals()`,
]
