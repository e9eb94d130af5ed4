import type { Kysely, Selectable } from 'kysely'
import type { ListQuery } from '../../contract/list-query.ts'
import type { LinksTable, Schema } from '../../database/schema.ts'
import { releasedHash } from './destination.ts'
import { countLinks } from './link-counts.ts'
import { linkState } from './link-state.ts'

export type LinkRow = Selectable<LinksTable>

/** Inserts a link. Returns false if its short URL or its destination exists. */
export async function insertLink(db: Kysely<Schema>, row: LinkRow): Promise<boolean> {
  return (await insertLinks(db, [row])).size > 0
}

/** Inserts the links whose short URL and destination are new. @returns their ids */
export async function insertLinks(
  db: Kysely<Schema>,
  rows: readonly LinkRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await db
    .insertInto('links')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return new Set(inserted.map(({ id }) => id))
}

/** Finds the owner's link with the same effective destination on the same domain record. */
export async function findDuplicate(
  db: Kysely<Schema>,
  { owner_id: ownerId, domain_id: domainId, destination_hash: hash }: LinkRow,
): Promise<LinkRow | undefined> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('domain_id', '=', domainId)
    .where('destination_hash', '=', hash)
    .executeTakeFirst()
}

/**
 * Makes a link that has expired give way to another one with the same effective destination.
 *
 * @param now the time in milliseconds since 1970
 * @returns whether the link had expired
 */
export async function giveWay(
  transaction: Kysely<Schema>,
  link: LinkRow,
  now: number,
): Promise<boolean> {
  if (linkState(link, now) !== 'expired') return false
  await transaction
    .updateTable('links')
    .set({ destination_hash: releasedHash(link.id, now) })
    .where('id', '=', link.id)
    .execute()
  return true
}

/** Which links a caller may reach. */
export interface LinkReach {
  ownerId: string
  /** Only links on these domain records; undefined: on all. */
  domainIds?: readonly string[] | undefined
}

/** Finds a link within a caller's reach. One that is deleted counts as unknown. */
export async function findOwnLink(
  db: Kysely<Schema>,
  { ownerId, domainIds }: LinkReach,
  id: string,
): Promise<LinkRow | undefined> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
    .executeTakeFirst()
}

export async function findLink(db: Kysely<Schema>, id: string): Promise<LinkRow | undefined> {
  return db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Finds the link with a back-half on the first of the hostnames that has one, also if it had that short URL
 * earlier. A deleted link is found as well.
 */
export async function findByShortUrl(
  db: Kysely<Schema>,
  hostnames: readonly string[],
  backHalf: string,
): Promise<LinkRow | undefined> {
  const rows = await db
    .selectFrom('links')
    .selectAll()
    .where('hostname', 'in', hostnames)
    .where('back_half', '=', backHalf)
    .execute()
  const found = hostnames
    .map((hostname) => rows.find((row) => row.hostname === hostname))
    .find((row) => row !== undefined)
  return found?.alias_of ? findLink(db, found.alias_of) : found
}

/** Which links to list, which page of them, and in which order. */
export interface LinkSelection extends ListQuery {
  ownerId: string
  /** Only links on these domain records; undefined: on all. */
  domainIds: readonly string[] | undefined
}

/**
 * Returns a page of an owner's links with their clicks, and how many links there are in total. An index has all
 * that is needed to find the page's ids; only then are its rows read.
 *
 * @param longReads a deep page takes long
 * @param among only these links, which are known to be the owner's and on these domain records
 */
export async function selectLinks(
  longReads: Kysely<Schema>,
  { ownerId, domainIds, page, per_page: perPage, sort_by: sortBy, order }: LinkSelection,
  among?: readonly string[],
): Promise<{ rows: (LinkRow & { people: number })[]; total: number }> {
  const total = among?.length ?? (await countLinks(longReads, { ownerId, domainIds }))
  const before = (page - 1) * perPage
  if (before >= total) return { rows: [], total }
  const limit = Math.min(perPage, total - before)
  const after = total - before - limit
  // A page of the second half is nearer to the end.
  const fromEnd = after < before
  const direction = fromEnd === (order === 'asc') ? 'desc' : 'asc'
  const time = sortBy === 'updated_at' ? 'updated_at' : 'created_at'
  const rows = await longReads
    .selectFrom((from) =>
      from
        .selectFrom('links')
        .select('id')
        .where('deleted_at', 'is', null)
        // With the owner's condition, SQLite would read all of the owner's links for a few ids.
        .$if(among !== undefined, (query) => query.where('id', 'in', among ?? []))
        .$if(among === undefined, (query) => query.where('owner_id', '=', ownerId))
        .$if(among === undefined && domainIds !== undefined, (query) =>
          query.where('domain_id', 'in', domainIds ?? []),
        )
        .orderBy(time, direction)
        .orderBy('id', direction)
        .limit(limit)
        .offset(fromEnd ? after : before)
        .as('page'),
    )
    .innerJoin('links', 'links.id', 'page.id')
    .innerJoin('click_totals', 'click_totals.link_id', 'page.id')
    .selectAll('links')
    .select('click_totals.people')
    .orderBy(`links.${time}`, order)
    .orderBy('links.id', order)
    .execute()
  return { rows, total }
}
