import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../src/database/database.ts'
import { indexAll } from '../src/service/store/link-indexer.ts'

/** The short URL of a link that `fill` adds, by its number from 1. */
export function filledPath(number: number): string {
  return `/b${number}`
}

/** The ID of that link. */
export function filledId(number: number): string {
  const hex = number.toString(16)
  return `${hex.padStart(8, '0')}-0000-7000-8000-${hex.padStart(12, '0')}`
}

/** Adds links of an organization that the service provisions again when it starts. */
export async function fill(url: string, links: number): Promise<void> {
  const database = await openDatabase(url)
  await database.db
    .insertInto('owners')
    .values({
      id: 'bench',
      kind: 'organization',
      name: 'Benchmark',
      external_id: 'bench',
      created_at: 0,
      max_links: null,
    })
    .execute()
  await database.close()
  const sqlite = new DatabaseSync(url.slice('file:'.length))
  sqlite.exec(`
    begin;
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${links})
    insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
      utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at)
    select printf('%08x-0000-7000-8000-%012x', i, i), 'bench', 'default', '', 'b' || i,
      'https://example.com/some/long/page/' || i || '?with=a&query=too', 'hash ' || i,
      'Page ' || i || case i % 1000 when 7 then ' of the spring campaign' else ' about a topic' end,
      0, 0, 0, 1700000000000 + i, 1700000000000 + i * 7919 % ${links}
    from numbers;
    update click_totals set people = (number * 7919) % 1000 from (select id, rowid as number from links) as filled
      where filled.id = link_id and number % 3 = 0;
    commit;
    pragma wal_checkpoint(truncate)`)
  sqlite.close()
  const filled = await openDatabase(url)
  await indexAll(filled)
  await filled.close()
}

/** The days with clicks that `fillClicks` adds: two years. */
const [FIRST_CLICKS, DAYS] = ['2024-11-23', 730]

/** The last of these days. */
export const LAST_CLICKS = '2026-11-22'

/** How many combinations of UTM values, tags and creators the links have. */
const SEGMENTS = 1_000

/**
 * Gives the links that `fill` has added UTM values, tags, creators and clicks: about seven days with clicks for each link
 * of a million. A few thousand links have clicks on hundreds of days, and most links on two to four.
 */
export function fillClicks(url: string, links: number): void {
  const sqlite = new DatabaseSync(url.slice('file:'.length))
  sqlite.exec(`
    begin;
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${SEGMENTS})
    insert into segments (id, owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
    select i, 'bench', 'default', 'campaign-' || (i % 97), 'source-' || (i % 7), 'medium-' || (i % 5),
      'T1/U' || (i % 23), case i % 4 when 0 then '' else 'tag-' || (i % 11) end from numbers;
    insert into tag_sets select distinct owner_id, tags, tags, tags from segments where tags <> '';

    create temporary table filled as
    select rowid as number, id, 1 + rowid * rowid % 7919 % ${SEGMENTS} as segment_id,
      (1 + rowid * 7919 % ${links}) * 1e6 / ${links} as place from links;
    update links set utm_analytics_enabled = 1, utm_campaign = segments.utm_campaign,
      utm_source = segments.utm_source, utm_medium = segments.utm_medium, person_id = segments.person_id,
      person_name = segments.person_id, tags = nullif(segments.tags, '')
      from filled join segments on segments.id = segment_id where filled.id = links.id;
    with recursive days (i) as (select 0 union all select i + 1 from days where i < 364)
    insert into clicks
    select id, date('${FIRST_CLICKS}', format('+%d days', number * ${DAYS} / ${links} + i * (1 + number % 3))),
      1 + cast(20000 / pow(place, 0.6) as integer), 1
    from filled join days
      on i < 60000 / pow(place, 0.75) + number % 3 and number * ${DAYS} / ${links} + i * (1 + number % 3) < ${DAYS}
    order by id;
    update click_totals set people = clicked.people, segment_id = clicked.segment_id
      from (
        select id, segment_id, sum(people) as people from filled join clicks on link_id = id group by id
      ) as clicked where clicked.id = link_id;
    insert into segment_clicks
    select segment_id, replace(day, '-', ''), sum(clicks.people)
      from clicks join click_totals on click_totals.link_id = clicks.link_id group by 1, 2;
    drop table filled;
    commit;
    pragma wal_checkpoint(truncate)`)
  sqlite.close()
}

/** Adds the same links to the database of the bare server. */
export function fillBare(path: string, links: number): void {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(`
    pragma journal_mode = wal;
    create table links (id text primary key, back_half text not null unique, destination text not null);
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${links})
    insert into links select printf('%08x-0000-7000-8000-%012x', i, i), 'b' || i,
      'https://example.com/some/long/page/' || i || '?with=a&query=too' from numbers`)
  sqlite.close()
}
