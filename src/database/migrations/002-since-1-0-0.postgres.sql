-- The search index of 1.0.0.
drop trigger if exists searched_links_added on links;
drop trigger if exists searched_links_removed on links;
drop trigger if exists searched_links_changed on links;
drop table if exists searched_links;
drop function if exists add_searched_links, remove_searched_links, change_link_text, link_marks, link_mark, link_text;

-- What a link is sorted by, and what a search reads. They are columns, because PostgreSQL never reads an expression from an
-- index alone, and because a search reads thousands of texts. A trigger fills them, so that statements can write all columns
-- of a row.
alter table links add column sort_title text;
alter table links add column search_text text;
create function fill_search_columns() returns trigger language plpgsql as $$ begin
  -- It is cut, because PostgreSQL limits the size of an entry of an index.
  new.sort_title := substr(lower(coalesce(new.title, new.destination_url)), 1, 100);
  -- A line break separates the texts, so that no search matches across two of them.
  new.search_text := lower(coalesce(new.title, '') || chr(10) || new.destination_url || chr(10) ||
    case when new.hostname = '' then '' else 'https://' || new.hostname end || '/' || new.back_half);
  return new;
end $$;
create trigger links_search before insert or update of title, destination_url, hostname, back_half on links
  for each row execute function fill_search_columns();

-- Numbers of links, and a row of totals for each link, are kept in the transaction that adds links, once for each
-- statement. Owners have one order, so that statements do not deadlock.
create or replace function count_added_links() returns trigger language plpgsql as $$ begin
  insert into link_counts (owner_id, domain_id, links)
    select owner_id, domain_id, count(*) from added where deleted_at is null
    group by owner_id, domain_id order by owner_id, domain_id
    on conflict (owner_id, domain_id) do update set links = link_counts.links + excluded.links;
  insert into click_totals (link_id, people, owner_id, domain_id)
    select id, 0, owner_id, domain_id from added where deleted_at is null;
  return null;
end $$;
drop trigger if exists links_added on links;
create trigger links_added after insert on links referencing new table as added
  for each statement execute function count_added_links();

create or replace function count_changed_link() returns trigger language plpgsql as $$ begin
  update link_counts set links = links - 1
    where owner_id = old.owner_id and domain_id = old.domain_id;
  if new.deleted_at is null then
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = link_counts.links + 1;
    update click_totals set domain_id = new.domain_id where link_id = new.id;
  else
    delete from click_totals where link_id = old.id;
  end if;
  return null;
end $$;
drop trigger if exists links_moved on links;
create trigger links_moved after update of domain_id, deleted_at on links
  for each row when (
    old.deleted_at is null and (new.deleted_at is not null or old.domain_id <> new.domain_id)
  ) execute function count_changed_link();

create or replace function count_removed_links() returns trigger language plpgsql as $$ begin
  update link_counts set links = link_counts.links - gone.links
    from (
      select owner_id, domain_id, count(*) as links from removed where deleted_at is null
      group by owner_id, domain_id
    ) as gone
    where link_counts.owner_id = gone.owner_id and link_counts.domain_id = gone.domain_id;
  return null;
end $$;
drop trigger if exists links_removed on links;
create trigger links_removed after delete on links referencing old table as removed
  for each statement execute function count_removed_links();

-- Notifies processes of version 1.0.0 once the change is committed. The next release removes it.
create or replace function announce_link_change() returns trigger language plpgsql as $$ begin
  perform pg_notify('link_changed', new.link_id);
  return null;
end $$;
drop trigger if exists link_history_added on link_history;
create trigger link_history_added after insert on link_history
  for each row execute function announce_link_change();
