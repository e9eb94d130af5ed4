import { sql, type Expression, type Kysely } from 'kysely'
import type { ListQuery } from '../../contract/list-query.ts'
import type { Schema } from '../../database/schema.ts'
import type { LinkRow } from './links.ts'
import { KEY_NAME, type NamedMaker } from './makers.ts'

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
