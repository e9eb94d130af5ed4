import { sql, type RawBuilder } from 'kysely'
import type { Report, ReportGroup, ReportQuery } from '../../contract/report.ts'
import type { Db } from '../../database/schema.ts'
import { type DayRange, daysOf, periodBefore } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { joinWithAnd, domainCondition } from './link-filter.ts'
import type { LinkReach, LinkRow } from './links.ts'
import { findNames } from './names.ts'
import { keptSince } from './nightly-removal.ts'
import { DAY_NUMBER, dayNumber } from './segments.ts'

interface Selection extends ReportQuery {
  reach: LinkReach
  before: DayRange
  nameConditions: RawBuilder<unknown>[]
}

interface GroupRow {
  /** `=` and the value that the group's links share, such as `=newsletter`; `all` for the group of all links. */
  name: string
  label: string
  title?: string | null
  destination_url?: string
  people: number
  previous: number
  days: string | null
}

const COLUMNS = {
  utm_campaign: 'utm_campaign',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  domain: 'domain_id',
  creator: 'person_id',
} as const satisfies Partial<Record<ReportGroup, string>>

// To find the links with the most clicks in a range, the links with the most clicks of all time are compared: first
// this many, then more, until no other link can have more clicks in the range.
const CANDIDATES = [1_000, 8_000, 50_000]

/** Adds up clicks in a range of days and in the period before: in total, and for each link, campaign or other group. */
export async function readReport(
  { longReads, addresses }: Pick<ServiceContext, 'longReads' | 'addresses'>,
  reach: LinkReach,
  query: ReportQuery,
): Promise<Report> {
  const { from, to, group_by, limit } = query
  const before = periodBefore(query)
  const { conditions: nameConditions, unknown } = await findNames(longReads, reach, query)
  const selection = { ...query, reach, before, nameConditions }
  const links =
    group_by === 'link' ? await readLinks({ longReads, addresses }, selection) : undefined
  // Clicks arrive meanwhile. The total is read last, so that it is never less than the clicks of links.
  const [total, ...segmentGroups] = await readSegments(longReads, selection)
  const { people: total_people, previous_people, days } = sumClicks(total, query)
  const groups = (links ?? segmentGroups).filter(({ people }) => people > 0)
  const top = groups.slice(0, limit)
  const topPeople = top.reduce((sum, { people }) => sum + people, 0)
  return {
    from,
    to,
    previous_from: before.from,
    previous_to: before.to,
    group_by,
    total_people,
    previous_people,
    days: daysOf(query).map((date, index) => ({ date, people: days[index] ?? 0 })),
    groups: top.map((row) => ({
      name: group_by === 'tag' ? row.label : row.name.slice(1),
      label: group_by === 'domain' ? addresses.domainName(row.label) : row.label,
      ...(row.title && { title: row.title }),
      ...(row.destination_url && { destination_host: URL.parse(row.destination_url)?.host }),
      ...sumClicks(row, query),
    })),
    has_more: groups.length > limit || (links !== undefined && topPeople < total_people),
    ...(unknown.length > 0 && { unknown }),
    ...(await keptSince(longReads, before.from)),
  }
}

function sumClicks(row: GroupRow | undefined, range: DayRange) {
  const byDay = new Map(row?.days?.split(',').map((day) => day.split(':') as [string, string]))
  const days = daysOf(range).map((date) => Number(byDay.get(date.replaceAll('-', '')) ?? 0))
  const people = days.reduce((sum, count) => sum + count, 0)
  return { people, previous_people: row?.previous ?? 0, days }
}

function selectedSegments(selection: Selection): RawBuilder<unknown> {
  const { reach, nameConditions } = selection
  const conditions = [
    sql`segments.owner_id = ${reach.ownerId}`,
    domainCondition(reach.domainIds),
    ...nameConditions,
  ]
  for (const name of ['domain', 'creator'] as const) {
    const value = selection[name]
    if (value !== undefined) conditions.push(sql`${sql.ref(COLUMNS[name])} = ${value}`)
  }
  return sql`segments where ${joinWithAnd(conditions)}`
}

async function readSegments(longReads: Db, selection: Selection): Promise<GroupRow[]> {
  const { group_by, link, limit, reach } = selection
  const [first, from, to] = [selection.before.from, selection.from, selection.to].map(dayNumber)
  const clicks =
    link === undefined
      ? sql`segment_clicks`
      : sql`(
          select segment_id, ${DAY_NUMBER} as day, clicks.people
          from click_totals join clicks on clicks.link_id = click_totals.link_id
          where click_totals.link_id = ${link}
        ) as segment_clicks`
  const labels: Partial<Record<ReportGroup, RawBuilder<string>>> = {
    tag: sql`(select min(tag_sets.name) from tag_sets
      where owner_id = ${reach.ownerId} and key = substr(ranked.name, 2)
        and tags in (select tags from found))`,
    domain: sql`(select domain_name from domains where id = substr(ranked.name, 2))`,
    creator: sql`(select person_name from links
      where owner_id = ${reach.ownerId} and person_id = substr(ranked.name, 2)
        and ${domainCondition(reach.domainIds)} order by created_at desc, id desc limit 1)`,
  }
  const label = labels[group_by] ?? sql`null`
  // Only tables with an index are joined, because PostgreSQL has no statistics of the named subqueries, and would
  // compare each row of one with each row of the other.
  const { rows } = await sql<GroupRow>`
    with counted as (
      select segment_id, sum(case when day >= ${from} then people else 0 end) as people,
        sum(case when day < ${from} then people else 0 end) as previous
      from ${clicks}
      where segment_id in (select id from ${selectedSegments(selection)})
        and day between ${first} and ${to}
      group by segment_id
    ),
    found as materialized (
      select segments.*, people, previous from counted cross join segments where id = segment_id
    ),
    grouped as (select id, people, previous, 'all' as name from found ${groupRows(selection)}),
    ranked as materialized (
      select name, cast(sum(people) as bigint) as people, cast(sum(previous) as bigint) as previous,
        row_number() over (order by name = 'all' desc, sum(people) desc, name) as place
      from grouped group by name
      order by place limit ${limit + 2}
    ),
    placed as materialized (
      select id, place from grouped join ranked on ranked.name = grouped.name
    ),
    daily as (
      select place, day, cast(sum(people) as bigint) as people from placed cross join ${clicks}
      where segment_id = placed.id and day between ${from} and ${to} group by place, day
    ),
    listed as materialized (
      select place, string_agg(day || ':' || people, ',') as days from daily group by place
    )
    select name, coalesce(${label}, substr(name, 2)) as label, people, previous, days
    from ranked left join listed on listed.place = ranked.place order by ranked.place`.execute(
    longReads,
  )
  return rows
}

// SQL for a row of each segment in each of its groups. With `link`, there is only the group of all links.
function groupRows({ group_by, reach }: Selection): RawBuilder<unknown> {
  if (group_by === 'link') return sql``
  if (group_by === 'tag') {
    return sql`union all select id, people, previous, '=' || coalesce(tag_sets.key, '') from found
      left join tag_sets on tag_sets.owner_id = ${reach.ownerId} and tag_sets.tags = found.tags`
  }
  return sql`union all select id, people, previous, '=' || ${sql.ref(COLUMNS[group_by])} from found`
}

async function readLinks(
  { longReads, addresses }: Pick<ServiceContext, 'longReads' | 'addresses'>,
  selection: Selection,
): Promise<GroupRow[]> {
  const { from, to, before, limit, link, reach } = selection
  type Row = GroupRow & LinkRow & { compared: number; fewest: number }
  const clicks = sql`from clicks where clicks.link_id = candidate.link_id and day between`
  let links: Row[] = []
  for (const count of CANDIDATES) {
    const { rows } = await sql<Row>`
      with compared as (
        select link_id, people as ever from click_totals
        where owner_id = ${reach.ownerId} and people > 0
          and (segment_id in (select id from ${selectedSegments(selection)})) is true
          ${link === undefined ? sql`` : sql`and link_id = ${link}`}
        order by people desc, link_id desc limit ${count}
      ),
      ranked as materialized (
        select link_id, (select cast(sum(people) as bigint) ${clicks} ${from} and ${to}) as people
        from compared as candidate
      )
      select '=' || id as name, hostname, back_half, title, destination_url, candidate.people,
        (select cast(sum(people) as bigint) ${clicks} ${before.from} and ${before.to}) as previous,
        (select string_agg(${DAY_NUMBER} || ':' || people, ',') ${clicks} ${from} and ${to}) as days,
        (select count(*) from compared) as compared,
        (select min(ever) from compared) as fewest
      from ranked as candidate join links on id = candidate.link_id
      where candidate.people > 0 order by candidate.people desc, id limit ${limit}`.execute(
      longReads,
    )
    links = rows
    const { compared = count, fewest = 0 } = rows[0] ?? {}
    // A link that wasn't compared has at most `fewest` clicks of all time, and so in the range.
    const lastPeople = rows[limit - 1]?.people ?? -1
    if (compared < count || lastPeople >= fewest) break
  }
  return links.map((row) => ({ ...row, label: addresses.shortUrl(row) }))
}
