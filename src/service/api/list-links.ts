import { z } from 'zod'
import { listQuery, type ListQuery } from '../../contract/list-query.ts'
import { formatCount } from '../../web/numbers.ts'
import type { ServiceContext } from '../store/context.ts'
import { selectLinks } from '../store/links.ts'
import type { Caller } from './authentication.ts'
import { createFieldErrors } from './errors.ts'
import { listedShortlink, toListedShortlink } from './shortlink.ts'

/** The maximum number of items on a page. Our choice: the specification sets no limit (spec §8). */
export const MAX_PER_PAGE = 100

const PER_PAGE_RULE = `Use a whole number from 1 to ${MAX_PER_PAGE}.`

const RULES = new Map([
  ['page', 'Use a whole number from 1.'],
  ['per_page', PER_PAGE_RULE],
  ['sort_by', 'Use most_recent, created_at or updated_at.'],
  ['order', 'Use asc or desc.'],
])

/** The response to a list. Our choice: the specification does not define it (spec §4.2). */
export const linkList = z.object({
  data: z.object({
    status: z.literal('success'),
    message: z.string(),
    shortlinks: z.array(listedShortlink),
    pagination: z.object({
      page: z.int(),
      per_page: z.int(),
      total_items: z.int(),
      total_pages: z.int(),
    }),
  }),
})

export type LinkList = z.infer<typeof linkList>

/**
 * Parses the query of a list (spec §4.3).
 *
 * @throws ServiceError VALIDATION_ERROR with every invalid or unknown parameter
 */
export function parseListQuery(query: unknown): ListQuery {
  const errors = createFieldErrors()
  const parsed = listQuery.safeParse(query)
  for (const issue of parsed.error?.issues ?? []) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])]
    for (const name of names) errors.add(name, RULES.get(name) ?? 'This parameter does not exist.')
  }
  if (parsed.data && parsed.data.per_page > MAX_PER_PAGE) {
    errors.add('per_page', PER_PAGE_RULE)
  }
  errors.throwIfAny()
  if (!parsed.success) throw parsed.error
  return parsed.data
}

/** Lists a page of the caller's shortlinks (spec §4.2). */
export async function listLinks(
  { longReads, addresses }: ServiceContext,
  { ownerId, domainIds }: Caller,
  query: ListQuery,
): Promise<LinkList> {
  const { rows, total } = await selectLinks(longReads, { ...query, ownerId, domainIds })
  const { page, per_page: perPage } = query
  return {
    data: {
      status: 'success',
      message: `${formatCount(total, 'shortlink')} in total.`,
      shortlinks: rows.map((row) => toListedShortlink(row, row.people, addresses)),
      pagination: {
        page,
        per_page: perPage,
        total_items: total,
        total_pages: Math.ceil(total / perPage),
      },
    },
  }
}
