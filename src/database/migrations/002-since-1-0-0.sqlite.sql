-- The search index of 1.0.0, which triggers filled. FTS5 leaves a table behind, which can be dropped once SQLite has read
-- the schema again. This takes 0.4 s for a million links.
drop trigger if exists links_added;
drop trigger if exists links_removed;
drop trigger if exists links_moved;
drop trigger if exists links_deleted;
drop trigger if exists links_changed;
drop table if exists searched_links;
pragma writable_schema = reset;
drop table if exists searched_links_content;
drop table if exists link_texts_content;
drop table if exists link_text_rows;
drop table if exists link_marks;

-- The service fills the new index (src/service/store/link-indexer.ts). It stores only which links contain which three
-- characters.
create virtual table search_index using fts5(
  texts, owner, tokenize = 'trigram', detail = none, content = '', contentless_delete = 1
);
create table search_progress (number integer not null, link_id text);
insert into search_progress (number) values (0);
create table search_changes (number integer primary key);

create trigger search_changed
after update of title, destination_url, hostname, back_half, deleted_at on links when old.deleted_at is null begin
  insert into search_changes (number) values (new.rowid) on conflict do nothing;
end;

-- If the last link is removed, the next link can get its number.
create trigger search_removed after delete on links begin
  update search_progress set
    number = coalesce((select max(rowid) from links where rowid < old.rowid), 0),
    link_id = (select id from links where rowid < old.rowid order by rowid desc limit 1)
    where number = old.rowid;
end;

-- Numbers of links, and a row of totals for each link, are kept in the transaction that adds a link.
create trigger links_added after insert on links when new.deleted_at is null begin
  insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
    on conflict (owner_id, domain_id) do update set links = links + 1;
  insert into click_totals (link_id, people, owner_id, domain_id)
    values (new.id, 0, new.owner_id, new.domain_id);
end;

create trigger links_removed after delete on links when old.deleted_at is null begin
  update link_counts set links = links - 1
    where owner_id = old.owner_id and domain_id = old.domain_id;
end;

create trigger links_deleted after update of deleted_at on links
when old.deleted_at is null and new.deleted_at is not null begin
  update link_counts set links = links - 1
    where owner_id = old.owner_id and domain_id = old.domain_id;
  delete from click_totals where link_id = old.id;
end;

create trigger links_moved after update of domain_id on links
when new.deleted_at is null and old.domain_id <> new.domain_id begin
  update link_counts set links = links - 1
    where owner_id = old.owner_id and domain_id = old.domain_id;
  insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
    on conflict (owner_id, domain_id) do update set links = links + 1;
  update click_totals set domain_id = new.domain_id where link_id = new.id;
end;
