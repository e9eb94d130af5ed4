-- The changes since version 1.0.0 that take milliseconds. The others follow in 004-backfills.ts.

drop table if exists kysely_migration_lock;

alter table domains add column home_url text;
alter table domains add column not_found_url text;
alter table api_keys add column destinations text;
alter table api_keys add column counted_minute bigint not null default 0;
alter table api_keys add column counted_requests bigint not null default 0;
alter table links add column made_by text;
alter table links add column person_id text;
alter table links add column person_name text;
alter table links add column tags text;
alter table link_history add column person_id text;
alter table link_history add column person_name text;
alter table workspace_settings add column report_at bigint;

-- Version 1.0.0 writes no owner (003-beside-1-0-0.sqlite.sql).
alter table click_totals add column owner_id text not null default '';
alter table click_totals add column domain_id text not null default '';
alter table click_totals add column segment_id bigint;

alter table dashboard_tokens add column id text not null default '';
alter table dashboard_tokens add column created_at bigint not null default 0;
alter table dashboard_tokens add column ended_at bigint;
alter table dashboard_tokens add column api_key_id text references api_keys (id);
alter table dashboard_tokens add column person_id text;
alter table dashboard_tokens add column person_name text;
alter table dashboard_tokens add column role text;
alter table dashboard_tokens add column workspace text;
alter table dashboard_tokens add column allowed_hosts text;
create index dashboard_tokens_id on dashboard_tokens (id);
create index dashboard_tokens_created_at on dashboard_tokens (created_at);
create index dashboard_tokens_api_key on dashboard_tokens (api_key_id, created_at);
-- A sign-in link works for 15 minutes, and a session for 12 hours. An id has the form of a UUID.
update dashboard_tokens set
  id = substr(hash, 1, 8) || '-' || substr(hash, 9, 4) || '-4' || substr(hash, 14, 3)
    || '-8' || substr(hash, 18, 3) || '-' || substr(hash, 21, 12),
  created_at = expires_at - case kind when 'sign_in_link' then 900000 else 43200000 end;

-- The app's own keys. They have no limit of requests, unlike those that an administrator creates in the dashboard.
update api_keys set scopes = '["dashboard:sign_in","people:erase"]'
  where name = 'Backhalf app (made by itself)' and permissions = 'all' and requests_per_minute = 0
  and owner_id in (select id from owners where external_id is not null);
-- The history names the key, and the service revokes its own keys by this name (store/provision.ts).
update api_keys set name = 'Backhalf app (automatic key)' where name = 'Backhalf app (made by itself)';

create table link_destinations (
  link_id text not null references links (id),
  revision integer not null,
  destination_url text not null,
  ended_at bigint not null,
  made_by text not null,
  person_id text,
  person_name text,
  remove_at bigint,
  constraint link_destinations_key primary key (link_id, revision)
);
create index link_destinations_remove_at on link_destinations (remove_at) where remove_at is not null;
create index link_destinations_person on link_destinations (person_id) where person_id is not null;

-- The sums that reports read (src/service/store/segments.ts).
create table segments (
  id bigserial primary key,
  owner_id text not null references owners (id),
  domain_id text not null,
  utm_campaign text not null,
  utm_source text not null,
  utm_medium text not null,
  person_id text not null,
  tags text not null,
  key text unique
);
create index segments_owner on segments (owner_id, tags);

create table segment_clicks (
  segment_id bigint not null,
  day integer not null,
  people bigint not null,
  constraint segment_clicks_key primary key (segment_id, day)
) without rowid;

create table tag_sets (
  owner_id text not null references owners (id),
  tags text not null,
  key text not null,
  name text not null,
  constraint tag_sets_key primary key (owner_id, tags, key)
) without rowid;
create index tag_sets_tag on tag_sets (owner_id, key, tags, name);

create table destination_problems (
  link_id text primary key,
  destination_hash text not null,
  status text not null,
  reason text not null,
  failures integer not null,
  failed_at bigint not null,
  check_at bigint not null
);
create index destination_problems_check_at on destination_problems (check_at);
create index destination_problems_dead on destination_problems (link_id) where status = 'dead';

create table destination_walk (
  id integer primary key,
  held_by text not null,
  held_until bigint not null,
  at_link text not null,
  walked_at bigint not null
);

-- The app
create index workspace_settings_report_at on workspace_settings (report_at) where report_at is not null;

create table backups (id integer primary key, made_at bigint, failures integer not null);

create table alerts (
  id text primary key,
  workspace_id text not null,
  created_by text not null,
  created_at bigint not null,
  alert text not null,
  memory text not null,
  check_at bigint not null
);
create index alerts_workspace on alerts (workspace_id, created_at);
create index alerts_check_at on alerts (check_at, workspace_id);

create table link_approvals (
  id text primary key,
  workspace_id text not null,
  requested_by text not null,
  created_at bigint not null,
  draft text not null,
  taken_until bigint not null
);
create index link_approvals_workspace on link_approvals (workspace_id, requested_by);
create index link_approvals_created_at on link_approvals (created_at);

create table imports (
  id text primary key,
  workspace_id text not null,
  created_by text not null,
  created_at bigint not null,
  file_name text not null,
  message text not null,
  state text not null,
  run_at bigint not null
);
create index imports_run_at on imports (run_at);
create index imports_workspace on imports (workspace_id);

create table import_rows (
  import_id text not null,
  number integer not null,
  workspace_id text not null,
  draft text not null,
  outcome text,
  primary key (import_id, number)
);
create index import_rows_workspace on import_rows (workspace_id);
