import { sql, type Expression, type Kysely, type Selectable } from 'kysely'
import type { LinksTable, Schema } from '../../database/schema.ts'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import type { ListQuery } from '../../contract/list-query.ts'
import { prepared } from '../../database/prepared.ts'
import { releasedHash } from './destination.ts'
import { KEY_NAME, type NamedMaker } from './makers.ts'

/** What a short URL does: it redirects, or explains why it does not. */
export type LinkState = 'active' | 'off' | 'expired'

/**
 * The state of a link that is not deleted. A link that is turned off and has expired counts as expired.
 *
 * @param now the time in milliseconds since 1970
 */
export function linkState(
  link: Pick<LinksTable, 'enabled' | 'expires_at'>,
  now: number,
): LinkState {
  if (link.expires_at !== null && link.expires_at <= now) return 'expired'
  return link.enabled === 1 ? 'active' : 'off'
}

export type LinkRow = Selectable<LinksTable>

/** Inserts a link. Returns false if its short URL or its destination exists. */
export async function insertLink(db: Kysely<Schema>, row: LinkRow): Promise<boolean> {
  return (await insertRow(db, row)).length > 0
}

const insertRow = prepared((db, row: LinkRow) =>
  db
    .insertInto('links')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/** Replaces all columns of a link. */
export const updateRow = prepared((db, row: LinkRow) =>
  db.updateTable('links').set(row).where('id', '=', row.id),
)

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
  { owner_id, domain_id, destination_hash }: LinkRow,
): Promise<LinkRow | undefined> {
  const [row] = await selectByDestination(db, { owner_id, domain_id, destination_hash })
  return row
}

const selectByDestination = prepared(
  (db, link: Pick<LinkRow, 'owner_id' | 'domain_id' | 'destination_hash'>) =>
    db
      .selectFrom('links')
      .selectAll()
      .where('owner_id', '=', link.owner_id)
      .where('domain_id', '=', link.domain_id)
      .where('destination_hash', '=', link.destination_hash),
)

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

/** Whose links the dashboard shows: those of a member, or all of them to the administrator of the service. */
export type ShownReach = LinkReach | 'all'

/** Finds a link within a caller's reach. One that is deleted counts as unknown. */
export async function findOwnLink(
  db: Kysely<Schema>,
  reach: LinkReach,
  id: string,
): Promise<LinkRow | undefined> {
  const link = await findShownLink(db, reach, id)
  return link?.deleted_at === null ? link : undefined
}

/** Finds a link that a viewer of the dashboard may see. It may be deleted. */
export async function findShownLink(
  db: Kysely<Schema>,
  reach: ShownReach,
  id: string,
): Promise<LinkRow | undefined> {
  const link = await findLink(db, id)
  if (reach === 'all' || !link) return link
  const { ownerId, domainIds } = reach
  if (link.owner_id !== ownerId) return undefined
  return domainIds === undefined || domainIds.includes(link.domain_id) ? link : undefined
}

/** Finds a link of any owner, for redirects. The dashboard uses `findShownLink`, which checks who may see it. */
export async function findLink(db: Kysely<Schema>, id: string): Promise<LinkRow | undefined> {
  const [row] = await selectById(db, { id })
  return row
}

const selectById = prepared((db, { id }: { id: string }) =>
  db.selectFrom('links').selectAll().where('id', '=', id),
)

/**
 * Finds the link with a back-half on the first of the hostnames that has one, also if it had that short URL
 * earlier. A deleted link is found as well.
 */
export async function findByShortUrl(
  db: Kysely<Schema>,
  hostnames: readonly string[],
  backHalf: string,
): Promise<LinkRow | undefined> {
  const found = await findRedirect(db, hostnames, backHalf)
  return found && findLink(db, found.id)
}

/** Like `findByShortUrl`, but reads only what a redirect needs. */
export async function findRedirect(
  db: Kysely<Schema>,
  hostnames: readonly string[],
  backHalf: string,
): Promise<Pick<LinkRow, (typeof REDIRECT_COLUMNS)[number]> | undefined> {
  for (const hostname of hostnames) {
    const [row] = await selectByShortUrl(db, { hostname, backHalf })
    if (row) return row.alias_of === null ? row : findLink(db, row.alias_of)
  }
  return undefined
}

/** Reading all columns would take a quarter longer. */
const REDIRECT_COLUMNS = [
  'id',
  'destination_url',
  'utm_analytics_enabled',
  ...UTM_PARAMETERS,
  'is_custom_preview',
  'enabled',
  'expires_at',
  'deleted_at',
  'alias_of',
] as const

const selectByShortUrl = prepared(
  (db, { hostname, backHalf }: { hostname: string; backHalf: string }) =>
    db
      .selectFrom('links')
      .select(REDIRECT_COLUMNS)
      .where('hostname', '=', hostname)
      .where('back_half', '=', backHalf),
)

/** A link with the clicks of people on all days, and the name of the key that created it. */
export type ListedRow = LinkRow & NamedMaker & { people: number }

/** Which links to list, which page of them, and in which order. */
interface LinkSelection extends ListQuery {
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
): Promise<{ rows: ListedRow[]; total: number }> {
  const total = among?.length ?? (await countLinks(longReads, { ownerId, domainIds }))
  const before = (page - 1) * perPage
  if (before >= total) return { rows: [], total }
  const count = among ? undefined : linkCount(longReads, { ownerId, domainIds })
  const { fromEnd, counted, offset, cut } = pageRange(before, perPage, total, count)
  const direction = fromEnd === (order === 'asc') ? 'desc' : 'asc'
  const { table, id, by } = ORDERS[sortBy]
  // With the owner's condition, SQLite would read all of the owner's links for a few ids.
  const wanted = among
    ? sql`${id} in (${sql.join(among)})`
    : sql`owner_id = ${ownerId} ${domainIds ? sql`and domain_id in (${sql.join(domainIds)})` : sql``}`
  const ids = sql<{ id: string }>`(select ${id} as id from ${table} ${wanted}
    order by ${sql.ref(by)} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}
    limit ${perPage} offset ${offset})`
  const rows = await longReads
    .selectFrom(ids.as('page'))
    .innerJoin('links', 'links.id', 'page.id')
    .innerJoin('click_totals', 'click_totals.link_id', 'page.id')
    .selectAll('links')
    .select(['click_totals.people', KEY_NAME, counted.as('total')])
    .orderBy(by, order)
    .orderBy('links.id', order)
    .execute()
  return { rows: cut(rows), total: rows[0]?.total ?? total }
}

/** The tables whose indexes have the orders. A link that is deleted has no total. */
const BY_AGE = {
  table: sql`links where deleted_at is null and`,
  id: sql`id`,
  by: 'created_at',
} as const
const ORDERS = {
  most_recent: BY_AGE,
  created_at: BY_AGE,
  updated_at: { ...BY_AGE, by: 'updated_at' },
  clicks: { table: sql`click_totals where`, id: sql`link_id`, by: 'people' },
} as const

/**
 * Where a page is in an order, or in the opposite order if the end is nearer. From the end, its place depends on the
 * total, which is counted in the statement that reads the page: links that were created since would shift it.
 *
 * @param total as it was read before
 * @param count counts it again; undefined: it can't have changed
 * @returns `counted` is to be selected as `total` with each row, and `cut` leaves out rows of the page before
 */
export function pageRange(
  before: number,
  size: number,
  total: number,
  count?: Expression<unknown>,
) {
  const end = before + size
  const counted = count ? sql<number>`(${count})` : sql<number>`cast(${total} as bigint)`
  if (!count || total - end >= before) {
    return { fromEnd: false, counted, offset: sql<number>`${before}`, cut: <R>(rows: R[]) => rows }
  }
  return {
    fromEnd: true,
    counted,
    offset: sql<number>`(select case when total < ${end} then 0 else total - ${end} end from ${counted} as counted)`,
    cut: <R extends { total: number }>(rows: R[]): R[] =>
      rows.slice(Math.max(0, rows.length + before - (rows[0]?.total ?? total))),
  }
}

/** Which links to count; undefined: all. */
interface Counted {
  ownerId?: string | undefined
  /** Only links on these domain records. */
  domainIds?: readonly string[] | undefined
}

/**
 * Returns how many links there are. Triggers keep the counts in the transaction that adds a link, because
 * counting a million links takes too long for a list or a quota.
 */
export async function countLinks(db: Kysely<Schema>, counted: Counted): Promise<number> {
  if (counted.domainIds?.length === 0) return 0
  return (await linkCount(db, counted).executeTakeFirstOrThrow()).total ?? 0
}

/** The query of `countLinks`. */
export function linkCount(db: Kysely<Schema>, { ownerId, domainIds }: Counted) {
  return (
    db
      .selectFrom('link_counts')
      // PostgreSQL returns a sum as text.
      .select((select) => select.cast<number | null>(select.fn.sum('links'), 'bigint').as('total'))
      .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
      .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
  )
}
