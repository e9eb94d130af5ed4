import { sql, type Kysely } from 'kysely'

/** Tags of links, the sums of clicks that reports read, and when weekly reports are due. */
export async function up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void> {
  const [isPostgres, options] = bytes === 'bytea' ? [true, ''] : [false, ' without rowid']
  const statements = [...tags(options), ...sums(isPostgres), ...WEEKLY_REPORTS]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

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
]

/** The sums that reports read (src/service/store/segments.ts). */
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
  'alter table click_totals add column segment_id bigint',
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

const WEEKLY_REPORTS = [
  'alter table workspace_settings add column report_at bigint',
  `create index workspace_settings_report_at on workspace_settings (report_at)
    where report_at is not null`,
]
