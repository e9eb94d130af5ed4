import { sql, type RawBuilder } from 'kysely'
import { isPostgres, jsonRows, number, text } from '../../database/dialects.ts'
import { preparedRow } from '../../database/prepared.ts'
import type { ClicksTable, Db } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import { addToSegments, lockOwners } from './segments.ts'
import { MAX_CLICK_DAYS, MAX_REFERRERS, type LinkClicks } from '../../contract/extension-calls.ts'
import { addDays, dayOf, type DayRange, daysOf, lengthOf } from '../../timing/days.ts'
import type { ServiceContext } from './context.ts'
import { keptSince } from './nightly-removal.ts'

/**
 * At most `all` referring hosts of a link are stored a day. A host that the link didn't have in the week before is
 * stored only while the day has fewer than `new` hosts, because anyone can send clicks from invented hosts. Clicks from
 * further hosts are counted without a host.
 */
export const MAX_HOSTS = { new: 100, all: 200 }

export interface CountedClicks extends ClicksTable {
  hosts?: Map<string, number> | undefined
}

/**
 * Adds clicks to the daily counts, totals, segments and referring hosts of links. Clicks on deleted links are dropped,
 * and so are referring hosts that belong to this service.
 * @param counted has each link and day only once
 */
export function addClicks(counted: readonly CountedClicks[]) {
  const clicks = counted.map(({ link_id, day, people, bots }) => [link_id, day, people, bots])
  const hosts = counted.flatMap(({ link_id, day, hosts: referringHosts = [] }) => {
    const weekBefore = addDays(day, -7)
    return [...referringHosts].map(([host, people]) => [link_id, day, host, people, weekBefore])
  })
  return addCounts(JSON.stringify(clicks), hosts.length > 0 ? JSON.stringify(hosts) : undefined)
}

/** `clicks` and `hosts` are the rows of `addClicks` as JSON. */
export const addCounts = defineWrite(async function addCounts(
  transaction,
  clicks: string,
  hosts: string | undefined,
) {
  const owners = sql`select owner_id from ${jsonRows(transaction, clicks)} join links on id = ${text(0)}`
  await lockOwners(transaction, owners, 'share')
  // On PostgreSQL, this keeps the links from being deleted until the transaction ends, but allows other changes. All
  // transactions lock the links in the same order, so that two can't deadlock.
  const lock = isPostgres(transaction) ? sql`for key share of links` : sql``
  await sql`
      insert into clicks (link_id, day, people, bots)
      select links.id, ${text(1)}, ${number(2)}, ${number(3)} ${fromExistingLinks(transaction, clicks)}
      order by links.id, ${text(1)} ${lock}
      on conflict (link_id, day) do update
        set people = clicks.people + excluded.people, bots = clicks.bots + excluded.bots`.execute(
    transaction,
  )
  await sql`
      insert into click_totals (link_id, people, owner_id, domain_id)
      select links.id, sum(${number(2)}), links.owner_id, links.domain_id
      ${fromExistingLinks(transaction, clicks)} and ${number(2)} > 0
      group by links.id order by links.id
      on conflict (link_id) do update set people = click_totals.people + excluded.people`.execute(
    transaction,
  )
  await addToSegments(transaction, clicks)
  if (hosts === undefined) return
  // A host that the day already has gets the clicks (`max_hosts` is null). Any other host is stored if the number of
  // the day's hosts, with those of this write that come before it, stays within its limit.
  await sql`
      insert into referrers (link_id, day, host, people)
      select link_id, day, host, people from (
        select incoming.*, stored + row_number() over (
          partition by link_id, day, max_hosts is null order by max_hosts desc, people desc, host
        ) as place from (
          select links.id as link_id, ${text(1)} as day, ${text(2)} as host, ${number(3)} as people,
            (select count(*) from referrers where link_id = links.id and day = ${text(1)}) as stored,
            case when known.host is not null then null when exists (
              select 1 from referrers as earlier
              where earlier.link_id = links.id and earlier.day >= ${text(4)}
                and earlier.day < ${text(1)} and earlier.host = ${text(2)}
            ) then ${sql.lit(MAX_HOSTS.all)} else ${sql.lit(MAX_HOSTS.new)} end as max_hosts
          ${fromExistingLinks(
            transaction,
            hosts,
            sql`left join referrers as known
          on known.link_id = links.id and known.day = ${text(1)} and known.host = ${text(2)}`,
          )}
            and ${text(2)} not in (select domain_name from domains)
        ) as incoming
      ) as placed
      where max_hosts is null or place <= max_hosts
      order by link_id, day, host
      on conflict (link_id, day, host) do update set people = referrers.people + excluded.people`.execute(
    transaction,
  )
})

function fromExistingLinks(
  db: Db,
  rows: string,
  join: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`from ${jsonRows(db, rows)} join links on links.id = ${text(0)} ${join} where links.deleted_at is null`
}

export async function countClicks(db: Db, linkId: string): Promise<number> {
  return (await selectTotal(db, linkId))?.people ?? 0
}

const selectTotal = preparedRow((db, linkId: string) =>
  db.selectFrom('click_totals').select('people').where('link_id', '=', linkId),
)

/** Reads the clicks of a link in a range, by day and by referring host. */
export async function readClickReport(
  { db, longReads }: Pick<ServiceContext, 'db' | 'longReads'>,
  linkId: string,
  { from, to }: DayRange,
): Promise<LinkClicks> {
  // A link can have 73,200 rows of referrers in a year, so they are read outside of the event loop.
  const referrers = await longReads
    .selectFrom('referrers')
    // PostgreSQL returns a sum as text.
    .select((is) => ['host', is.cast<number>(is.fn.sum('people'), 'bigint').as('people')])
    .where('link_id', '=', linkId)
    .where((is) => is.between('day', from, to))
    .groupBy('host')
    .orderBy('people', 'desc')
    .orderBy('host')
    .limit(MAX_REFERRERS)
    .execute()
  const clicks = await db
    .selectFrom('clicks')
    .selectAll()
    .where('link_id', '=', linkId)
    .where((is) => is.between('day', from, to))
    .execute()
  // Clicks arrive meanwhile. The total is read last, so that it is never less than the clicks of the range.
  const all_time_people = await countClicks(db, linkId)
  const byDay = new Map(clicks.map((row) => [row.day, row]))
  const days = daysOf({ from, to }).map((date) => {
    const { people = 0, bots = 0 } = byDay.get(date) ?? {}
    return { date, people, bots }
  })
  const sum = (column: 'people' | 'bots'): number =>
    clicks.reduce((total, row) => total + row[column], 0)
  const total_people = sum('people')
  const total_bots = sum('bots')
  const removal = await keptSince(db, from)
  return { from, to, total_people, total_bots, all_time_people, days, referrers, ...removal }
}

export function rangeError(range: DayRange): string | undefined {
  const length = lengthOf(range)
  if (length < 1) return `Use a day that is not after ${range.to}.`
  return length > MAX_CLICK_DAYS ? `Ask for at most ${MAX_CLICK_DAYS} days.` : undefined
}

export function reportRange(
  query: { from?: string | undefined; to?: string | undefined },
  now: number,
): DayRange & { error?: string } {
  const today = dayOf(now)
  const { to = today, from = `${to.slice(0, 7)}-01` } = query
  const error = from > today ? `Use a day up to today, ${today} in UTC.` : rangeError({ from, to })
  return error === undefined ? { from, to } : { from, to, error }
}
