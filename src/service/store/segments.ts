import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { isPostgres } from '../../database/dialects.ts'
import { jsonRows, number, text } from '../../database/json-rows.ts'
import type { Schema } from '../../database/schema.ts'
import type { LinkRow } from './links.ts'

/*
 * Reports read sums instead of the clicks of each link. Links of an owner that have the same domain record, UTM values,
 * maker and tags are a segment, and `segment_clicks` has the clicks of each segment and day. A link gets its segment
 * with its first click. Whoever gives links a segment, or changes the values of segments or links, has locked the owner.
 */

/** SQL for a day as a number, such as 20261123: a year of sums is read twice as fast as with texts. */
export const DAY_NUMBER = sql<number>`cast(replace(clicks.day, '-', '') as integer)`

/** The day of a date, as the sums have it. @param date `YYYY-MM-DD` */
export function dayNumber(date: string): number {
  return Number(date.replaceAll('-', ''))
}

/** What decides to which segment of its owner a link belongs. */
function valuesOf(link: LinkRow): string[] {
  const { domain_id, utm_campaign, utm_source, utm_medium, person_id, tags } = link
  const isTracked = link.utm_analytics_enabled === 1
  const utm = [utm_campaign, utm_source, utm_medium].map((value) => (isTracked ? value : null))
  return [domain_id, ...utm, person_id, tags].map((value) => value ?? '')
}

/** A short key, because an index of PostgreSQL takes no values as long as these may be. */
function keyOf(link: LinkRow): string {
  const values = JSON.stringify([link.owner_id, ...valuesOf(link)])
  return createHash('sha256').update(values).digest('hex')
}

/** Finds or creates the segments of links. @returns their ids, by the id of the link */
async function findSegments(
  transaction: Transaction<Schema>,
  links: readonly LinkRow[],
): Promise<Map<string, number>> {
  const keys = new Map(links.map((link) => [link.id, keyOf(link)]))
  const wanted = new Map(links.map((link) => [keys.get(link.id), link]))
  const rows = [...wanted].map(([key, link]) => [key, link.owner_id, ...valuesOf(link)])
  const given = jsonRows(transaction, JSON.stringify(rows))
  // Always in the same order, so that two processes never wait for each other.
  await sql`
    insert into segments
      (key, owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
    select ${sql.join([0, 1, 2, 3, 4, 5, 6, 7].map(text))} from ${given} where true
    order by 1 on conflict (key) do nothing`.execute(transaction)
  const found = await sql<{ id: number; key: string }>`
    select id, key from segments where key in (select ${text(0)} from ${given})`.execute(
    transaction,
  )
  const ids = new Map(found.rows.map(({ id, key }) => [key, id]))
  return new Map(links.map(({ id }) => [id, ids.get(keys.get(id) ?? '') ?? NaN]))
}

/**
 * Finds segments for the clicked links that have none yet, and locks the owners of these links.
 *
 * @param clicks rows as JSON: the link, the day, and the clicks of people
 */
export async function firstSegments(
  transaction: Transaction<Schema>,
  clicks: string,
): Promise<ReadonlyMap<string, number>> {
  const without = sql`from ${jsonRows(transaction, clicks)}
    join click_totals on click_totals.link_id = ${text(0)} where segment_id is null and ${number(2)} > 0`
  const lock = isPostgres(transaction) ? sql`for share` : sql``
  const owners = await sql`
    select id from owners where id in (select owner_id ${without}) order by id ${lock}`.execute(
    transaction,
  )
  if (owners.rows.length === 0) return new Map()
  // Read only now, because the links could change until the lock.
  const links = await sql<LinkRow>`
    select * from links where id in (select link_id ${without})`.execute(transaction)
  return findSegments(transaction, links.rows)
}

/** Adds clicks to the sums. The totals of the links are locked. @param clicks as for `firstSegments` */
export async function addToSums(transaction: Transaction<Schema>, clicks: string): Promise<void> {
  await sql`
    insert into segment_clicks (segment_id, day, people)
    select segment_id, cast(replace(${text(1)}, '-', '') as integer) as day_number, sum(${number(2)})
    from ${jsonRows(transaction, clicks)} join click_totals on click_totals.link_id = ${text(0)}
    where ${number(2)} > 0
    group by segment_id, day_number order by segment_id, day_number
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people`.execute(
    transaction,
  )
}

/**
 * Takes a link's clicks out of its segment, and adds them to the one to which it belongs after a change.
 *
 * @param next undefined: the link is about to be deleted
 */
export async function moveClicks(
  transaction: Transaction<Schema>,
  link: LinkRow,
  next: LinkRow | undefined,
): Promise<void> {
  if (next && keyOf(next) === keyOf(link)) return
  // In the order in which clicks lock the rows. Clicks that are being added are waited for.
  const lock = isPostgres(transaction) ? sql`for update` : sql``
  const { rows } = await sql<{ segment_id: number | null }>`
    select segment_id from links join click_totals on link_id = links.id
    where links.id = ${link.id} ${lock}`.execute(transaction)
  const from = rows[0]?.segment_id ?? null
  if (from === null) return
  const to = next && (await findSegments(transaction, [next])).get(link.id)
  const moves = [[from, -1], ...(to === undefined ? [] : [[to, 1]])]
  await sql`
    insert into segment_clicks (segment_id, day, people)
    select ${number(0)} as segment, ${DAY_NUMBER} as day_number, people * ${number(1)}
    from clicks cross join ${jsonRows(transaction, JSON.stringify(moves))}
    where link_id = ${link.id} and people > 0 order by segment, day_number
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people`.execute(
    transaction,
  )
  if (to !== undefined) {
    await transaction
      .updateTable('click_totals')
      .set({ segment_id: to })
      .where('link_id', '=', link.id)
      .execute()
  }
  // Otherwise, changing a link again and again would fill the disk with segments.
  await sql`delete from segment_clicks where segment_id = ${from} and people = 0`.execute(
    transaction,
  )
  await sql`delete from segments where id = ${from}
    and not exists (select 1 from segment_clicks where segment_id = ${from})`.execute(transaction)
}

/**
 * Gives the segments of a set of tags another set, after the same was done with their links. The transaction has locked
 * the owner.
 *
 * @param tags as `links.tags` has them; null: none
 */
export async function retagSegments(
  transaction: Transaction<Schema>,
  ownerId: string,
  tags: string,
  next: string | null,
): Promise<void> {
  await transaction
    .updateTable('segments')
    .set({ tags: next ?? '', key: null })
    .where('owner_id', '=', ownerId)
    .where('tags', '=', tags)
    .execute()
}
