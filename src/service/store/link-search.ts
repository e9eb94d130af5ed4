import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { BUILT_IN_HOSTNAME } from './addresses.ts'
import type { LinkRow } from './links.ts'

export const LINK_SORTS = ['newest', 'oldest', 'clicks', 'title'] as const

export type LinkSort = (typeof LINK_SORTS)[number]

/** A link, with its owner and how many people clicked it. */
export type FoundLink = LinkRow & { owner_name: string; people: number }

/** Links on a page. */
const PAGE_SIZE = 25

/**
 * Finds links of all owners whose title, destination or short URL contains a text. Case is ignored
 * (on SQLite, only that of ASCII letters). For a page past the end, returns the last page.
 *
 * @param search.origin the start of the short URLs on the built-in domain record
 * @param search.page from 1
 */
export async function searchLinks(
  db: Kysely<Schema>,
  search: { text: string; sort: LinkSort; page: number; origin: string },
): Promise<{ links: FoundLink[]; total: number; page: number; pages: number }> {
  const { text, sort, origin } = search
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const shortUrl = sql`case when links.hostname = ${BUILT_IN_HOSTNAME} then ${origin} else 'https://' || links.hostname end || '/' || back_half`
  const contains = (value: RawBuilder<unknown>) =>
    sql<boolean>`lower(${value}) like lower(${pattern}) escape '\\'`
  const found = db
    .selectFrom('links')
    .$if(text !== '', (query) =>
      query.where((where) =>
        where.or([sql.ref('title'), sql.ref('destination_url'), shortUrl].map(contains)),
      ),
    )
  const { total } = await found
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = Math.min(search.page, pages)
  const rows = await found
    .innerJoin('owners', 'owners.id', 'links.owner_id')
    .leftJoin('click_totals', 'click_totals.link_id', 'links.id')
    .selectAll('links')
    .select(['owners.name as owner_name', 'click_totals.people'])
    .orderBy(ORDERS[sort])
    .orderBy('links.id', sort === 'oldest' ? 'asc' : 'desc')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  return { links: rows.map((row) => ({ ...row, people: row.people ?? 0 })), total, page, pages }
}

const ORDERS = {
  newest: sql`links.id desc`,
  oldest: sql`links.id asc`,
  clicks: sql`coalesce(click_totals.people, 0) desc`,
  title: sql`lower(coalesce(title, destination_url)) asc`,
} satisfies Record<LinkSort, ReturnType<typeof sql>>
