import { sql } from 'kysely'
import type { ServiceContext } from './context.ts'
import type { NewLink } from './create-link.ts'
import { limitToReach, type LinkFilter } from './link-filter.ts'
import { isInIndex, selectLinks, type FoundLink } from './link-list.ts'
import { findMatches } from './link-matches.ts'
import type { LinkRow, ShownReach } from './links.ts'

const ORDERS = {
  newest: { sort_by: 'created_at', order: 'desc' },
  oldest: { sort_by: 'created_at', order: 'asc' },
  clicks: { sort_by: 'clicks', order: 'desc' },
  title: { sort_by: 'title', order: 'asc' },
} as const

export type LinkSort = keyof typeof ORDERS

export const LINK_SORTS = Object.keys(ORDERS) as LinkSort[]

const PAGE_SIZE = 25

export interface LinkPage {
  links: FoundLink[]
  total: number
  /** True if there might be more matches than the pages show. */
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
 * Returns a page of the links that match a text and a filter. If no index can sort the matches, only a limited number
 * of them is sorted: the oldest ones if `oldest` come first, otherwise the newest ones. If others are left out,
 * `hasMore` is true. A `page` past the end returns the last page.
 * @param search.text empty, or at least MIN_SEARCH_LENGTH characters
 */
export async function searchLinks(context: ServiceContext, search: Search): Promise<LinkPage> {
  const { reach, text, sort, page } = search
  const filter = limitToReach(reach, search.filter)
  const order = ORDERS[sort]
  const first = sort === 'oldest' ? sort : 'newest'
  const enough = sort === first ? (page + 1) * PAGE_SIZE : undefined
  const matches =
    text === '' && isInIndex(order.sort_by, filter)
      ? undefined
      : await findMatches(context, { text, filter, first, enough })
  const wanted = { ...order, page, per_page: PAGE_SIZE }
  const { rows: links, total } = await selectLinks(context, wanted, filter, matches?.ids)
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  if (page > pages) return searchLinks(context, { ...search, page: pages })
  return { links, total, hasMore: matches?.hasMore ?? false, page, pages }
}

/** Finds another link whose back-half differs from this one only in upper and lower case. */
export async function findLookalike(
  context: ServiceContext,
  { columns, backHalf = '' }: Pick<NewLink, 'columns' | 'backHalf'>,
): Promise<LinkRow | undefined> {
  if (backHalf === '') return undefined
  const filter = { ownerId: columns.owner_id, domainIds: [columns.domain_id] }
  const text = `${columns.hostname}/${backHalf}`
  const { ids } = await findMatches(context, { text, filter, first: 'newest' })
  if (ids.length === 0) return undefined
  return context.longReads
    .selectFrom('links')
    .selectAll()
    .where('id', 'in', ids)
    .where(sql`lower(back_half)`, '=', backHalf.toLowerCase())
    .where('back_half', '!=', backHalf)
    .executeTakeFirst()
}
