import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Report, ReportGroup, ReportQuery } from '../../contract/report.ts'
import { tagKey } from '../../contract/tags.ts'
import { jsonRows, text } from '../../database/json-rows.ts'
import type { Schema } from '../../database/schema.ts'
import { dayOf, daysOf, daysUntil, lengthOf, type DayRange } from './click-report.ts'
import type { ServiceContext } from './context.ts'
import type { DomainRow } from './domains.ts'
import type { LinkReach, LinkRow } from './links.ts'
import { DAY_NUMBER, dayNumber } from './segments.ts'

/** Which clicks a report counts, and how it groups them. */
interface Selection extends ReportQuery {
  reach: LinkReach
  before: DayRange
}

/** The clicks of a group. */
interface GroupRow {
  /** `=` and the value that the links share; `all`: all links. */
  name: string
  people: number
  /** In the period before. */
  previous: number
  /** The days with clicks, such as `20261123:7,20261124:9`. */
  days: string | null
}

/** The columns of segments by which reports group and filter clicks. */
const COLUMNS = {
  utm_campaign: 'utm_campaign',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  domain: 'domain_id',
  maker: 'person_id',
} as const satisfies Partial<Record<ReportGroup, string>>

const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/**
 * Among how many links those with the most clicks in a range are found. These are the links with the most clicks of all
 * time. More of them are read only if others may have more clicks in the range.
 */
const CANDIDATES = [1_000, 8_000, 50_000]

const DAY_MS = 86_400_000

/**
 * Reads how often people clicked the links that a caller can reach, in a range of days and in the period of the same
 * length before. If a filter has an unknown value, there are no clicks.
 */
export async function readReport(
  context: Pick<ServiceContext, 'longReads' | 'addresses'>,
  reach: LinkReach,
  query: ReportQuery,
): Promise<Report> {
  const { from, to, group_by, limit } = query
  const before = daysUntil(dayOf(Date.parse(from) - DAY_MS), lengthOf(query))
  const selection = { ...query, reach, before }
  const links = group_by === 'link' ? await readLinks(context.longReads, selection) : undefined
  // Read last, so that the total is never less than the clicks of links.
  const [all, ...groups] = await readSegments(context.longReads, selection)
  const found = (links ?? groups).filter(({ people }) => people > 0)
  const days = daysOf(query)
  const { people: total_people, ...total } = clicksOf(all, days)
  const top = found.slice(0, limit).map((row) => ({
    name: row.name.slice(1),
    clicks: clicksOf(row, days),
  }))
  const names = top.map(({ name }) => name)
  const labels = await readLabels(context, selection, names)
  return {
    ...{ from, to, previous_from: before.from, previous_to: before.to, group_by },
    ...{ total_people, previous_people: total.previous_people },
    days: days.map((date, at) => ({ date, people: total.days[at] ?? 0 })),
    groups: top.map(({ name, clicks }) => ({ name, label: name, ...labels.get(name), ...clicks })),
    has_more: links
      ? top.reduce((sum, { clicks }) => sum + clicks.people, 0) < total_people
      : found.length > limit,
  }
}

function clicksOf(row: GroupRow | undefined, days: readonly string[]) {
  const byDay = new Map(row?.days?.split(',').map((day) => day.split(':') as [string, string]))
  const people = days.map((date) => Number(byDay.get(String(dayNumber(date))) ?? 0))
  const sum = people.reduce((total, count) => total + count, 0)
  return { people: sum, previous_people: row?.previous ?? 0, days: people }
}

/** SQL for the segments whose clicks count. */
function segmentsOf(selection: Selection): RawBuilder<unknown> {
  const { ownerId, domainIds } = selection.reach
  const conditions = [sql`segments.owner_id = ${ownerId}`]
  // Null equals nothing, and PostgreSQL doesn't accept an empty list.
  if (domainIds) conditions.push(sql`domain_id in (${sql.join([...domainIds, null])})`)
  for (const name of COLUMN_NAMES) {
    const value = selection[name]
    if (value !== undefined) conditions.push(sql`${sql.ref(COLUMNS[name])} = ${value}`)
  }
  const keys = new Set(selection.tag?.map(tagKey))
  if (keys.size > 0) {
    conditions.push(sql`segments.tags in (
      select tags from tag_sets where owner_id = ${ownerId} and key in (${sql.join([...keys])})
      group by tags having count(*) = ${keys.size})`)
  } else if (selection.tag) conditions.push(sql`segments.tags = ''`)
  return sql`segments where ${sql.join(conditions, sql` and `)}`
}

/** SQL for segments and their groups. */
function groupsOf({ group_by, reach }: Selection): RawBuilder<unknown> {
  if (group_by === 'link') return sql``
  if (group_by !== 'tag')
    return sql`union all select id, '=' || ${sql.ref(COLUMNS[group_by])} from found`
  return sql`union all select id, '=' || coalesce(tag_sets.key, '') from found
    left join tag_sets on tag_sets.owner_id = ${reach.ownerId} and tag_sets.tags = found.tags`
}

/** Reads the clicks of all segments, and of the groups with the most clicks. */
async function readSegments(longReads: Kysely<Schema>, selection: Selection): Promise<GroupRow[]> {
  const { link, limit } = selection
  const [from, to] = [dayNumber(selection.from), dayNumber(selection.to)]
  const clicks =
    link === undefined
      ? sql`segment_clicks`
      : sql`(select segment_id, ${DAY_NUMBER} as day, clicks.people from click_totals
          join clicks on clicks.link_id = click_totals.link_id
          where click_totals.link_id = ${link}) as segment_clicks`
  const { rows } = await sql<GroupRow>`
    with found as (select * from ${segmentsOf(selection)}),
    grouped as (select id, 'all' as name from found ${groupsOf(selection)}),
    counted as (
      select found.id, sum(case when day >= ${from} then people else 0 end) as people,
        sum(case when day < ${from} then people else 0 end) as previous
      from found cross join ${clicks}
      where segment_id = found.id and day between ${dayNumber(selection.before.from)} and ${to}
      group by found.id
    ),
    ranked as (
      select name, sum(people) as people, sum(previous) as previous
      from grouped join counted on counted.id = grouped.id group by name
      order by case name when 'all' then 0 else 1 end, people desc, name limit ${limit + 2}
    ),
    daily as (
      select ranked.name, day, cast(sum(segment_clicks.people) as bigint) as people
      from grouped join ranked on ranked.name = grouped.name cross join ${clicks}
      where segment_id = grouped.id and day between ${from} and ${to}
      group by ranked.name, day
    )
    select name, cast(people as bigint) as people, cast(previous as bigint) as previous, (
      select string_agg(day || ':' || daily.people, ',') from daily where daily.name = ranked.name
    ) as days
    from ranked order by case name when 'all' then 0 else 1 end, people desc, name`.execute(
    longReads,
  )
  return rows
}

/** Reads the links with the most clicks. */
async function readLinks(longReads: Kysely<Schema>, selection: Selection): Promise<GroupRow[]> {
  const { from, to, before, limit, link, reach } = selection
  let found: (GroupRow & { candidates: number; fewest: number })[] = []
  for (const count of CANDIDATES) {
    const clicks = sql`from clicks where clicks.link_id = candidates.link_id and day between`
    const { rows } = await sql<(typeof found)[0]>`
      with candidates as (
        select link_id, people as ever from click_totals
        where owner_id = ${reach.ownerId} and people > 0
          and segment_id in (select id from ${segmentsOf(selection)})
          ${link === undefined ? sql`` : sql`and link_id = ${link}`}
        order by people desc, link_id desc limit ${count}
      ),
      ranked as materialized (
        select link_id, (select cast(sum(people) as bigint) ${clicks} ${from} and ${to}) as people
        from candidates
      )
      select '=' || candidates.link_id as name, ranked.people,
        (select cast(sum(people) as bigint) ${clicks} ${before.from} and ${before.to}) as previous,
        (select string_agg(${DAY_NUMBER} || ':' || people, ',') ${clicks} ${from} and ${to}) as days,
        (select count(*) from candidates) as candidates,
        (select min(ever) from candidates) as fewest
      from ranked join candidates on candidates.link_id = ranked.link_id
      where ranked.people > 0 order by ranked.people desc, name limit ${limit}`.execute(longReads)
    found = rows
    const { candidates = count, fewest = 0 } = rows[0] ?? {}
    if (candidates < count || (rows[limit - 1]?.people ?? -1) >= fewest) break
  }
  return found
}

type Labels = Map<string, { name?: string; label: string; title?: string }>

/** Reads the texts that people read instead of IDs, and the spelling of tags. Other values have none. */
async function readLabels(
  { longReads, addresses }: Pick<ServiceContext, 'longReads' | 'addresses'>,
  { group_by, reach: { ownerId } }: Selection,
  names: readonly string[],
): Promise<Labels> {
  const among = sql`(${sql.join([...names, null])})`
  const labels: Labels = new Map()
  if (group_by === 'tag') {
    const { rows } = await sql<{ key: string; name: string }>`
      select key, min(name) as name from tag_sets
      where owner_id = ${ownerId} and key in ${among} group by key`.execute(longReads)
    for (const { key, name } of rows) labels.set(key, { name, label: name })
  } else if (group_by === 'domain') {
    const { rows } = await sql<Pick<DomainRow, 'id' | 'domain_name'>>`
      select id, domain_name from domains where id in ${among}`.execute(longReads)
    for (const { id, domain_name } of rows) {
      labels.set(id, { label: addresses.domainName(domain_name) })
    }
  } else if (group_by === 'link') {
    const { rows } = await sql<LinkRow>`
      select id, hostname, back_half, title from links where id in ${among}`.execute(longReads)
    for (const { title, ...link } of rows) {
      labels.set(link.id, { label: addresses.shortUrl(link), ...(title !== null && { title }) })
    }
  } else if (group_by === 'maker') {
    const { rows } = await sql<{ id: string; label: string | null }>`
      select ${text(0)} as id, (
        select person_name from links where person_id = ${text(0)} and owner_id = ${ownerId}
        order by id desc limit 1
      ) as label
      from ${jsonRows(longReads, JSON.stringify(names.map((name) => [name])))}`.execute(longReads)
    for (const { id, label } of rows) if (label !== null) labels.set(id, { label })
  }
  return labels
}
