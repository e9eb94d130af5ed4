import { sql, type Kysely } from 'kysely'

/** Tags of links, the sums of clicks that reports read, and when weekly reports are due. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  const [isPostgres, options] = bytes === 'bytea' ? [true, ''] : [false, ' without rowid']
  const statements = [...tags(options), ...sums(isPostgres), ...WEEKLY_REPORTS]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The index of links alone is enough to find a page of the links with certain tags. */
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
  `create index links_tagged on links (owner_id, tags, created_at, id, domain_id, updated_at)
    where tags is not null and deleted_at is null`,
  // Each weekly report asks which links expire soon. Without this index, it would read all links that expire.
  `create index links_ending on links (owner_id, expires_at)
    where enabled = 1 and expires_at is not null and deleted_at is null`,
]

/** The sums that reports read (src/service/store/segments.ts), from the clicks that links have. */
const sums = (isPostgres: boolean): string[] => [
  `create table segments (
    id ${isPostgres ? 'bigserial' : 'integer'} primary key,
    owner_id text not null references owners (id),
    domain_id text not null,
    utm_campaign text not null,
    utm_source text not null,
    utm_medium text not null,
    person_id text not null,
    tags text not null,
    key text unique
  )`,
  'create index segments_owner on segments (owner_id, tags)',
  `create table segment_clicks (
    segment_id bigint not null,
    day integer not null,
    people bigint not null,
    constraint segment_clicks_key primary key (segment_id, day)
  )${isPostgres ? '' : ' without rowid'}`,

  // The number of a segment is its place among all of them.
  `create table clicked_links (
    link_id text primary key,
    ${SEGMENT_COLUMNS.map((column) => `${column} text not null`).join(', ')},
    segment_id bigint not null
  )`,
  `insert into clicked_links select *, dense_rank() over (order by ${SEGMENT_COLUMNS.join(', ')}) from (
    select links.id, ${SEGMENT_VALUES}
    from links join click_totals on link_id = links.id where people > 0
  ) as clicked`,
  `insert into segments (id, ${SEGMENT_COLUMNS.join(', ')}, tags)
    select distinct segment_id, ${SEGMENT_COLUMNS.join(', ')}, '' from clicked_links`,
  'alter table click_totals add column segment_id bigint',
  `update click_totals set segment_id = clicked_links.segment_id from clicked_links
    where clicked_links.link_id = click_totals.link_id`,
  'drop table clicked_links',
  `insert into segment_clicks
    select segment_id, cast(replace(day, '-', '') as integer) as number, sum(clicks.people)
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.people > 0 group by segment_id, number order by segment_id, number`,
  'drop index click_totals_owner',
  'create index click_totals_owner on click_totals (owner_id, people, link_id, domain_id, segment_id)',
  // The name of a person is that of the newest link.
  'drop index links_person',
  'create index links_person on links (person_id, id) where person_id is not null',
  ...(isPostgres ? [POSTGRES_IDS] : SQLITE_TOTALS),
]

export const SEGMENT_COLUMNS = [
  'owner_id',
  'domain_id',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'person_id',
]

function utmValue(name: string): string {
  return `case utm_analytics_enabled when 1 then coalesce(utm_${name}, '') else '' end as utm_${name}`
}

export const SEGMENT_VALUES = `links.owner_id, links.domain_id, ${['campaign', 'source', 'medium'].map(utmValue).join(', ')},
  coalesce(person_id, '') as person_id`

const POSTGRES_IDS = `select setval(pg_get_serial_sequence('segments', 'id'), max(id))
  from segments having count(*) > 0`

const SQLITE_TOTALS = [
  'drop trigger links_added',
  `create trigger links_added after insert on links when new.deleted_at is null begin
    insert into link_counts (owner_id, domain_id, links) values (new.owner_id, new.domain_id, 1)
      on conflict (owner_id, domain_id) do update set links = links + 1;
    insert into click_totals (link_id, people, owner_id, domain_id)
      values (new.id, 0, new.owner_id, new.domain_id);
  end`,
]

const WEEKLY_REPORTS = [
  'alter table workspace_settings add column report_at bigint',
  `create index workspace_settings_report_at on workspace_settings (report_at)
    where report_at is not null`,
]
