import { sql, type Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import type { LinkRow } from './links.ts'

export const LINK_SORTS = ['newest', 'oldest', 'clicks', 'title'] as const

export type LinkSort = (typeof LINK_SORTS)[number]

/** A link with whose it is and how often people followed it. */
export type FoundLink = LinkRow & { owner_name: string; people: number }

/** Links on one page. */
export const PAGE_SIZE = 25

/**
 * Links of all owners whose title, destination, hostname or back-half holds a text; capitals don't
 * count (on SQLite, those of the English alphabet).
 *
 * @param page from 1
 */
export async function searchLinks(
  db: Kysely<Schema>,
  { text, sort, page }: { text: string; sort: LinkSort; page: number },
): Promise<{ links: FoundLink[]; total: number }> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const like = (column: 'title' | 'destination_url' | 'back_half' | 'links.hostname') =>
    sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`
  const found = db
    .selectFrom('links')
    .$if(text !== '', (query) =>
      query.where((where) =>
        where.or([
          like('title'),
          like('destination_url'),
          like('back_half'),
          like('links.hostname'),
        ]),
      ),
    )
  const { total } = await found
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .innerJoin('owners', 'owners.id', 'links.owner_id')
    .leftJoin(
      (query) =>
        query
          .selectFrom('clicks')
          .select('link_id')
          .select((select) => sql<number | string>`${select.fn.sum('people')}`.as('people'))
          .groupBy('link_id')
          .as('counted'),
      (join) => join.onRef('counted.link_id', '=', 'links.id'),
    )
    .selectAll('links')
    .select(['owners.name as owner_name', 'counted.people'])
    .orderBy(ORDERS[sort])
    .orderBy('links.id', sort === 'oldest' ? 'asc' : 'desc')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  return { links: rows.map((row) => ({ ...row, people: Number(row.people ?? 0) })), total }
}

const ORDERS = {
  newest: sql`links.id desc`,
  oldest: sql`links.id asc`,
  clicks: sql`coalesce(counted.people, 0) desc`,
  title: sql`lower(coalesce(title, destination_url)) asc`,
} satisfies Record<LinkSort, ReturnType<typeof sql>>
