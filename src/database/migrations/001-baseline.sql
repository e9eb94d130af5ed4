-- The schema of version 1.0.0, without its search index and its triggers, which the next step replaces.

-- The app
create table workspace_connections (
  workspace_id text primary key,
  sealed bytea not null,
  connected_by text,
  connected_at bigint not null,
  key_notice_after bigint
);

create table installations (
  workspace_id text primary key,
  sealed bytea not null,
  installed_by text,
  installed_at bigint not null
);

create table workspace_settings (
  workspace_id text primary key,
  settings text not null,
  updated_by text not null,
  updated_at bigint not null
);

create table recent_utm (
  workspace_id text not null,
  user_id text not null,
  utm text not null,
  used_at bigint not null,
  constraint recent_utm_key primary key (workspace_id, user_id)
);

create table made_links (
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
);

create table deliveries (
  id text primary key,
  claimed_by text not null,
  alive_at bigint not null,
  sealed bytea,
  acknowledgement bytea
);

create table home_tabs (
  workspace_id text not null,
  user_id text not null,
  page text not null,
  drawing bigint not null,
  constraint home_tabs_key primary key (workspace_id, user_id)
);

-- The link service
create table owners (
  id text primary key,
  kind text not null,
  name text not null,
  external_id text unique,
  created_at bigint not null,
  max_links integer
);

create table domains (
  id text primary key,
  domain_name text not null,
  owner_id text references owners (id),
  created_at bigint not null
);

create table api_keys (
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
);

-- The two unique constraints decide the conflicts of spec §4.1, also between simultaneous creates. A row is never
-- removed, so that links_short_url protects every back-half that was ever assigned.
create table links (
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
);

create table preview_images (
  link_id text primary key references links (id),
  bytes bytea not null
);

create table link_counts (
  owner_id text not null,
  domain_id text not null,
  links bigint not null,
  constraint link_counts_key primary key (owner_id, domain_id)
);

create table clicks (
  link_id text not null references links (id),
  day text not null,
  people bigint not null,
  bots bigint not null,
  constraint clicks_key primary key (link_id, day)
);

create table click_totals (
  link_id text primary key references links (id),
  people bigint not null
);

create table referrers (
  link_id text not null references links (id),
  day text not null,
  host text not null,
  people bigint not null,
  constraint referrers_key primary key (link_id, day, host)
);

-- On SQLite, where only one transaction writes at a time, the ids count up in the order of the commits.
create table link_history (
  id bigserial primary key,
  link_id text not null references links (id),
  at bigint not null,
  made_by text not null,
  changes text not null
);

create table idempotent_answers (
  api_key_id text not null references api_keys (id),
  idempotency_key text not null,
  request_hash text not null,
  answer text not null,
  created_at bigint not null,
  constraint idempotent_answers_key primary key (api_key_id, idempotency_key)
);

create table dashboard_passwords (
  id text primary key,
  hash text not null,
  failures integer not null,
  locked_until bigint not null
);

create table dashboard_tokens (
  hash text primary key,
  kind text not null,
  expires_at bigint not null
);

create table public_hosts (
  host varchar(260) primary key,
  used_at bigint not null
);

-- The built-in record. All workspaces share it, and its hostname is that of SERVICE_PUBLIC_URL.
insert into domains (id, domain_name, created_at) values ('default', '', 0);

-- The indexes of `links` contain all columns that are needed to find the ids on a page of a list.
create index made_links_newest on made_links (workspace_id, made_at);
create index made_links_maker on made_links (workspace_id, made_by, made_at);
create index made_links_link_name on made_links (workspace_id, link_name);
create index made_links_remind_at on made_links (remind_at) where remind_at is not null;
create index deliveries_alive_at on deliveries (alive_at);
create index domains_domain_name on domains (domain_name);
create index links_owner_created_at on links (owner_id, created_at, id, domain_id) where deleted_at is null;
create index links_owner_updated_at on links (owner_id, updated_at, id, domain_id) where deleted_at is null;
create index links_domain on links (domain_id, id) where deleted_at is null;
create index links_newest on links (id) where deleted_at is null;
create index links_deleted on links (id) where deleted_at is not null and alias_of is null;
create index links_alias_of on links (alias_of) where alias_of is not null;
create index click_totals_people on click_totals (people, link_id);
create index link_history_link on link_history (link_id, id);
create index idempotent_answers_created_at on idempotent_answers (created_at);
