import { sql, type RawBuilder } from 'kysely'
import type { DatabaseKind } from '../../database/database.ts'
import type { ServiceContext } from './context.ts'
import { countLinks, linkCount } from './link-counts.ts'
import { countRows, pageRange } from './link-list.ts'
import { all, fits, within, type LinkFilter } from './link-filter.ts'
import { findMatches } from './link-matches.ts'
import type { LinkRow, ShownReach } from './links.ts'

export const LINK_SORTS = ['newest', 'oldest', 'clicks', 'title'] as const

export type LinkSort = (typeof LINK_SORTS)[number]

/** A link, with its owner and how many people clicked it. */
export type FoundLink = LinkRow & { owner_name: string; people: number }

/** The number of links on a page. */
const PAGE_SIZE = 25

export interface LinkPage {
  links: FoundLink[]
  /** At most MAX_MATCHES for a search. */
  total: number
  /** Whether there are, or may be, more matches than `total`. */
  hasMore: boolean
  page: number
  pages: number
}

interface Search {
  reach: ShownReach
  text: string
  filter?: LinkFilter
  sort: LinkSort
  page: number
}

/**
 * Lists the links within a reach, or finds those that fit a filter and contain a text. Links that the indexes hold in
 * the wanted order are listed completely. Of others, the newest matches are listed, or the oldest if
 * these come first (link-matches.ts). For a page past the end, it returns the last page.
 *
 * @param search.text empty, or at least MIN_SEARCH_LENGTH characters
 * @param search.page from 1
 */
export async function searchLinks(
  context: ServiceContext,
  { reach, ...asked }: Search,
): Promise<LinkPage> {
  const filter = within(reach, asked.filter)
  const search = { ...asked, filter }
  const { text, sort } = search
  if (text === '' && filter.tags) {
    const fitting = sql`links where ${all(fits(filter, context.now()))}`
    const total = await countRows(context.longReads, fitting)
    return { ...(await readPage(context, search, total, tagged(fitting, sort))), hasMore: false }
  }
  const complete = text === '' ? inIndex(context, filter, sort) : undefined
  if (complete) {
    const total = await countLinks(context.longReads, filter)
    return { ...(await readPage(context, search, total, ...complete)), hasMore: false }
  }
  const first = sort === 'oldest' ? sort : 'newest'
  const enough = sort === first ? (search.page + 1) * PAGE_SIZE : undefined
  const { ids, hasMore } = await findMatches(context, { text, filter, first, enough })
  return { ...(await readPage(context, search, ids.length, among(sql.join(ids), sort))), hasMore }
}

/**
 * The ids of links in an order, and in the opposite order. A page in the second half is read from the end, which is
 * nearer.
 */
type Ordered = [ids: RawBuilder<unknown>, fromEnd: RawBuilder<unknown>]

/** Orders ids by an index that has all that is needed. They are read from it alone, however deep the page is. */
function inIndex(
  { kind }: ServiceContext,
  { ownerId, domainIds, state }: LinkFilter,
  sort: LinkSort,
): Ordered | undefined {
  const domains = domainIds && sql.join(domainIds)
  const order = (direction: RawBuilder<unknown>): RawBuilder<unknown> | undefined => {
    if (state !== undefined) return undefined
    if (ownerId === undefined && domains === undefined) return ALL_IN_ORDER[sort](kind, direction)
    if (sort === 'title' || (sort === 'clicks' && ownerId === undefined)) return undefined
    if (ownerId === undefined) {
      return sql`select id from links where deleted_at is null and domain_id in (${domains})
        order by id ${direction}`
    }
    // The indexes of an owner's links hold the domain record as well. `||` keeps SQLite from using another.
    const onDomains = domains ? sql`and domain_id || '' in (${domains})` : sql``
    if (sort === 'clicks') {
      return sql`select link_id as id from click_totals where owner_id = ${ownerId} ${onDomains}
        order by people ${direction}, link_id ${direction}`
    }
    return sql`select id from links where deleted_at is null and owner_id = ${ownerId} ${onDomains}
      order by created_at ${direction}, id ${direction}`
  }
  const [ids, fromEnd] = [order(DIRECTIONS[sort][0]), order(DIRECTIONS[sort][1])]
  return ids && fromEnd && [ids, fromEnd]
}

const [ASCENDING, DESCENDING] = [sql`asc`, sql`desc`]

const DIRECTIONS: Record<LinkSort, [RawBuilder<unknown>, RawBuilder<unknown>]> = {
  newest: [DESCENDING, ASCENDING],
  oldest: [ASCENDING, DESCENDING],
  clicks: [DESCENDING, ASCENDING],
  title: [ASCENDING, DESCENDING],
}

type AllInOrder = (kind: DatabaseKind, direction: RawBuilder<unknown>) => RawBuilder<unknown>

const BY_ID: AllInOrder = (_kind, direction) =>
  sql`select id from links where deleted_at is null order by id ${direction}`

const ALL_IN_ORDER: Record<LinkSort, AllInOrder> = {
  newest: BY_ID,
  oldest: BY_ID,
  clicks: (_kind, direction) => sql`select link_id as id from click_totals
    order by people ${direction}, link_id ${direction}`,
  // PostgreSQL never reads an expression from an index alone, so it has a column.
  title: (kind, direction) => sql`select id from links where deleted_at is null
    order by ${kind === 'sqlite' ? TITLE : sql`sort_title`} ${direction}, id ${direction}`,
}

const TITLE = sql`substr(lower(coalesce(title, destination_url)), 1, 100)`

const ORDERS: Record<LinkSort, RawBuilder<unknown>> = {
  newest: sql`links.id desc`,
  oldest: sql`links.id`,
  clicks: sql`people desc, links.id desc`,
  title: sql`${TITLE}, links.id`,
}

/** A deleted link has no clicks. */
const PEOPLE = sql`coalesce(click_totals.people, 0) as people`

function among(ids: RawBuilder<unknown>, sort: LinkSort): RawBuilder<unknown> {
  return sql`select links.id, ${PEOPLE} from links left join click_totals on click_totals.link_id = links.id
    where links.id in (${ids}) order by ${ORDERS[sort]}`
}

/** Orders the ids of links with certain tags. Their index has the time of the creation, but no clicks and no titles. */
function tagged(fitting: RawBuilder<unknown>, sort: LinkSort): RawBuilder<unknown> {
  if (sort === 'clicks' || sort === 'title') return among(sql`select id from ${fitting}`, sort)
  const [direction] = DIRECTIONS[sort]
  return sql`select id from ${fitting} order by created_at + 0 ${direction}, id ${direction}`
}

/**
 * Reads a page in two steps: first its ids, and then their rows. SQLite joins `cross join` in the order in which it is
 * written. Otherwise it reads all links in the order of the page.
 */
async function readPage(
  { longReads }: ServiceContext,
  { page: wanted, sort, filter }: Pick<Search, 'page' | 'sort'> & { filter: LinkFilter },
  total: number,
  ids: RawBuilder<unknown>,
  idsFromEnd?: RawBuilder<unknown>,
): Promise<Omit<LinkPage, 'hasMore'>> {
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = Math.min(wanted, pages)
  if (total === 0) return { links: [], total, page, pages }
  const before = (page - 1) * PAGE_SIZE
  const count = idsFromEnd && linkCount(longReads, filter)
  const { fromEnd, counted, offset, cut } = pageRange(before, PAGE_SIZE, total, count)
  const isDeleted = filter.state === 'deleted' ? sql`is not null` : sql`is null`
  const { rows } = await sql<FoundLink & { total: number }>`
    select links.*, owners.name as owner_name, ${PEOPLE}, ${counted} as total
    from (${fromEnd ? idsFromEnd : ids} limit ${PAGE_SIZE} offset ${offset}) as page
    cross join links cross join owners left join click_totals on click_totals.link_id = links.id
    where links.id = page.id and links.deleted_at ${isDeleted} and owners.id = links.owner_id
    order by ${ORDERS[sort]}`.execute(longReads)
  return { links: cut(rows), total, page, pages }
}
