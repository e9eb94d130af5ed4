import { sql, type Expression, type Kysely, type RawBuilder } from 'kysely'
import type { ListQuery } from '../../contract/list-query.ts'
import type { Schema } from '../../database/schema.ts'
import type { ServiceContext } from './context.ts'
import { countLinks, linkCount } from './link-counts.ts'
import { all, fits, type LinkFilter } from './link-filter.ts'
import type { LinkRow } from './links.ts'
import { KEY_NAME, type NamedMaker } from './makers.ts'

/** A link with the clicks of people on all days, and the name of the key that created it. */
export type ListedRow = LinkRow & NamedMaker & { people: number }

/** Which page of a list to read, and in which order. */
type ListPage = Pick<ListQuery, 'page' | 'per_page' | 'sort_by' | 'order'>

/**
 * Returns a page of an owner's links with their clicks, and how many links there are in total. An index has all
 * that is needed to find the page's ids; only then are its rows read.
 *
 * @param filter whose links to list
 * @param matches only these links, which are known to fit the filter
 */
export async function selectLinks(
  { longReads, now }: Pick<ServiceContext, 'longReads' | 'now'>,
  { page, per_page: perPage, sort_by: sortBy, order }: ListPage,
  filter: LinkFilter,
  matches?: readonly string[],
): Promise<{ rows: ListedRow[]; total: number }> {
  const { tags, expiresBefore } = filter
  const isFiltered = tags !== undefined || expiresBefore !== undefined
  const fitting = isFiltered ? sql`links where ${all(fits(filter, now()))}` : undefined
  const total =
    matches?.length ??
    (fitting ? await countRows(longReads, fitting) : await countLinks(longReads, filter))
  const before = (page - 1) * perPage
  if (before >= total) return { rows: [], total }
  const count = matches || fitting ? undefined : linkCount(longReads, filter)
  const { fromEnd, counted, offset, cut } = pageRange(before, perPage, total, count)
  const direction = fromEnd === (order === 'asc') ? 'desc' : 'asc'
  const { table, id, by } = ORDERS[sortBy]
  const source = matches
    ? sql`${table} ${id} in (${sql.join(matches)})`
    : sourceOf(sortBy, filter, fitting)
  // `+ 0` keeps SQLite from reading all of the owner's links in their order for those that fit.
  const column = fitting && sortBy !== 'clicks' ? sql`${sql.ref(by)} + 0` : sql.ref(by)
  const ids = sql<{ id: string }>`(select ${id} as id from ${source}
    order by ${column} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}
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

/** @param fitting the links that fit the filter, if it has more than an owner and domain records */
function sourceOf(
  sortBy: ListPage['sort_by'],
  { ownerId, domainIds }: LinkFilter,
  fitting: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  if (fitting && sortBy !== 'clicks') return fitting
  const { table, id } = ORDERS[sortBy]
  const domains = domainIds ? sql`and domain_id in (${sql.join(domainIds)})` : sql``
  const owned = sql`${table} owner_id = ${ownerId} ${domains}`
  // `is true` keeps PostgreSQL from looking up each id.
  return fitting ? sql`${owned} and (${id} in (select id from ${fitting})) is true` : owned
}

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

export async function countRows(db: Kysely<Schema>, from: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ total: number }>`select count(*) as total from ${from}`
  return (await counted.execute(db)).rows[0]?.total ?? 0
}
