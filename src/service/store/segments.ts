import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { isPostgres, jsonRows, number, text } from '../../database/dialects.ts'
import type { DbTransaction } from '../../database/schema.ts'
import type { LinkRow } from './links.ts'

/*
 * A segment is a group of an owner's links that have the same domain record, UTM values, creator and tags. Reports add
 * up clicks per segment, because there are far fewer segments than links. A link gets its segment when a person clicks
 * it for the first time. Call `lockOwners` before you assign a segment to a link, or change one of these values.
 */

/** SQL for the day of a row of `clicks` as a number, such as 20261123. With text, a report takes twice as long. */
export const DAY_NUMBER = sql<number>`cast(replace(clicks.day, '-', '') as integer)`

export function dayNumber(day: string): number {
  return Number(day.replaceAll('-', ''))
}

/**
 * Keeps the owners' links from changing until the transaction ends.
 * @param strength `share` lets other transactions add clicks at the same time; `no key update` doesn't
 */
export async function lockOwners(
  transaction: DbTransaction,
  ownerIds: RawBuilder<unknown>,
  strength: 'share' | 'no key update',
): Promise<void> {
  // Without this lock, two transactions could deadlock. SQLite has only one writer.
  if (!isPostgres(transaction)) return
  await sql`select id from owners where id in (${ownerIds}) order by id for ${sql.raw(strength)}`.execute(
    transaction,
  )
}

/**
 * The key of a link's segment, and its columns. The key is a hash, because PostgreSQL limits the size of index entries.
 */
function toSegment(link: LinkRow): [key: string, ...columns: string[]] {
  const { owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags } = link
  const utm =
    link.utm_analytics_enabled === 1 ? [utm_campaign, utm_source, utm_medium] : ['', '', '']
  const columns = [owner_id, domain_id, ...utm, person_id, tags].map((value) => value ?? '')
  return [hash('sha256', JSON.stringify(columns)), ...columns]
}

/** Finds the segments of links, and creates missing ones. @returns the segment's id for each link's id */
async function findSegments(transaction: DbTransaction, links: readonly LinkRow[]) {
  const segments = new Map(links.map((link) => [link.id, toSegment(link)]))
  const byKey = new Map([...segments.values()].map((segment) => [segment[0], segment]))
  const segmentRows = jsonRows(transaction, JSON.stringify([...byKey.values()]))
  await sql`
    insert into segments
      (key, owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
    select ${sql.join([0, 1, 2, 3, 4, 5, 6, 7].map(text))} from ${segmentRows} where true
    order by 1 on conflict (key) do nothing`.execute(transaction)
  const { rows } = await sql<{ id: number; key: string }>`
    select id, key from segments where key in (select ${text(0)} from ${segmentRows})`.execute(
    transaction,
  )
  const ids = new Map(rows.map(({ id, key }) => [key, id]))
  return new Map([...segments].map(([linkId, [key]]) => [linkId, ids.get(key) ?? NaN]))
}

const HAS_NO_SEGMENT = sql`(
  segment_id is null or not exists (select 1 from segments where segments.id = segment_id))`

/**
 * Adds clicks to the segments of their links. Call it after the clicks were added to `click_totals`, while its rows are
 * locked. If a link has no segment yet, or its segment was deleted with old clicks, it gets one, and its earlier clicks
 * are added, too.
 * @param clicks rows as JSON: the id of a link, the day, the clicks of people, and those of bots
 */
export async function addToSegments(transaction: DbTransaction, clicks: string): Promise<void> {
  const clickRows = jsonRows(transaction, clicks)
  const { rows: links } = await sql<LinkRow>`
    select id, owner_id, domain_id, utm_analytics_enabled, utm_campaign, utm_source, utm_medium, person_id, tags
    from links where id in (
      select link_id from ${clickRows} join click_totals on link_id = ${text(0)}
      where ${HAS_NO_SEGMENT} and click_totals.people > 0
    )`.execute(transaction)
  const assignments = links.length > 0 ? [...(await findSegments(transaction, links))] : []
  // A link to which another transaction has assigned a segment meanwhile isn't returned. Its earlier clicks are added.
  const { rows: changed } = await sql<{ link_id: string }>`
    update click_totals set segment_id = ${number(1)} from ${jsonRows(transaction, JSON.stringify(assignments))}
    where link_id = ${text(0)} and ${HAS_NO_SEGMENT} returning link_id`.execute(transaction)
  const ids = JSON.stringify(changed.map(({ link_id }) => [link_id]))
  const linkIds = sql`(select ${text(0)} from ${jsonRows(transaction, ids)})`
  await addSums(
    transaction,
    sql`select segment_id, ${DAY_NUMBER}, sum(clicks.people) from (
        select ${text(0)} as link_id, ${text(1)} as day, ${number(2)} as people from ${clickRows}
        where ${text(0)} not in ${linkIds}
        union all select link_id, day, people from clicks where link_id in ${linkIds}
      ) as clicks join click_totals on click_totals.link_id = clicks.link_id
      where clicks.people > 0 group by 1, 2`,
  )
}

const LINKS_AT_ONCE = 1_000

/** Assigns a segment to each link of an owner that has clicks but no segment. The transaction has locked the owner. */
export async function fillSegments(transaction: DbTransaction, ownerId: string): Promise<void> {
  const { rows } = await sql<{ link_id: string }>`select link_id from click_totals
    where owner_id = ${ownerId} and people > 0 and segment_id is null`.execute(transaction)
  for (let at = 0; at < rows.length; at += LINKS_AT_ONCE) {
    // Zero new clicks: the link's earlier clicks are added.
    const noClicks = rows.slice(at, at + LINKS_AT_ONCE).map(({ link_id }) => [link_id, '0', 0])
    await addToSegments(transaction, JSON.stringify(noClicks))
  }
}

async function addSums(transaction: DbTransaction, rows: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into segment_clicks (segment_id, day, people) ${rows} order by 1, 2
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people`.execute(
    transaction,
  )
}

/**
 * Moves a link's clicks from its segment to the one that it belongs to after a change.
 * @param next the changed link; undefined if the link is about to be deleted
 */
export async function moveClicks(
  transaction: DbTransaction,
  link: LinkRow,
  next: LinkRow | undefined,
): Promise<void> {
  if (next && toSegment(next)[0] === toSegment(link)[0]) return
  // Rows are locked in the same order as by added clicks. Deleting the link will need the stronger lock.
  const strength = next ? sql`for no key update` : sql`for update`
  const lock = isPostgres(transaction) ? strength : sql``
  const { rows } = await sql<{ segment_id: number | null }>`
    select segment_id from links join click_totals on link_id = links.id
    where links.id = ${link.id} ${lock}`.execute(transaction)
  const from = rows[0]?.segment_id ?? null
  if (from === null) return
  const to = next && (await findSegments(transaction, [next])).get(link.id)
  // Renaming a tag changes the links first and the segments later, so the link can still be in the right segment.
  if (to === from) return
  const moves = JSON.stringify([[from, -1], ...(to === undefined ? [] : [[to, 1]])])
  await addSums(
    transaction,
    sql`select ${number(0)}, ${DAY_NUMBER}, people * ${number(1)}
      from clicks cross join ${jsonRows(transaction, moves)} where link_id = ${link.id} and people > 0`,
  )
  await sql`update click_totals set segment_id = ${to ?? null} where link_id = ${link.id}`.execute(
    transaction,
  )
  // Without this, each change of a link would leave rows behind.
  await sql`delete from segment_clicks where segment_id = ${from} and people = 0`.execute(
    transaction,
  )
  await removeEmptySegments(transaction, sql`${from}`)
}

/**
 * Deletes segments without clicks, but never the one with the highest id: SQLite would give that id to the next
 * segment, and links might still refer to it.
 */
export async function removeEmptySegments(transaction: DbTransaction, ids: RawBuilder<unknown>) {
  await sql`delete from segments where id in (${ids}) and id < (select max(id) from segments)
    and not exists (select 1 from segment_clicks where segment_id = segments.id)`.execute(
    transaction,
  )
}
