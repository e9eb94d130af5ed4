import { z } from 'zod'

/** What a list can be sorted by (spec §4.3). */
export const SORT_FIELDS = ['most_recent', 'created_at', 'updated_at'] as const
export const SORT_ORDERS = ['asc', 'desc'] as const

/** A whole number from 1, which travels as decimal text in the query. */
const wireCount = z.codec(z.string().regex(/^\d{1,9}$/, 'Use a whole number.'), z.int().min(1), {
  decode: Number,
  encode: String,
})

/**
 * Paging and sorting of a list (spec §4.3). A codec, as the create request is: the service
 * decodes the query's texts, the client encodes what it was asked for.
 */
export const listQuery = z.strictObject({
  page: wireCount.default(1).describe('Which page, from 1.'),
  per_page: wireCount.default(10).describe('Items per page.'),
  sort_by: z.enum(SORT_FIELDS).default('most_recent').describe('What to sort by.'),
  order: z.enum(SORT_ORDERS).default('desc').describe('Sort direction.'),
})

export type ListQuery = z.output<typeof listQuery>
export type SortField = ListQuery['sort_by']
export type SortOrder = ListQuery['order']
