import { z } from 'zod'
import { countCharacters } from './link-fields.ts'
import { parseTags, tagsError } from './tags.ts'

export const SORT_FIELDS = ['most_recent', 'created_at', 'updated_at'] as const

export const OUR_SORT_FIELDS = [...SORT_FIELDS, 'clicks'] as const

export const SORT_ORDERS = ['asc', 'desc'] as const

const COUNT_RULE = 'Use a whole number from 1.'

const MAX_COUNT = 999_999_999
const COUNT_DIGITS = /^\d{1,9}$/

export function wireCount(defaultValue: number, maximum = MAX_COUNT) {
  const text = z.string(COUNT_RULE).refine((digits) => COUNT_DIGITS.test(digits), COUNT_RULE)
  const count = z.int().min(1, COUNT_RULE).max(maximum, `Use at most ${maximum}.`)
  return z
    .codec(text, count, { decode: Number, encode: String })
    .default(defaultValue)
    .meta({ override: { type: 'integer', minimum: 1, maximum, default: defaultValue } })
}

const MAX_PER_PAGE = 100
const SEARCH_RULE = 'Use 3 to 200 characters.'
const INSTANT_RULE = 'Use a time with its offset, such as 2027-03-08T12:00:00Z.'
const FILTER_RULE = 'Use at most 1,000 characters, without control characters.'

export const filterText = z
  .string(FILTER_RULE)
  .max(1_000, FILTER_RULE)
  .regex(/^\P{Cc}*$/u, FILTER_RULE)

export const tagNames = z.codec(
  z.union([filterText, z.array(filterText)], FILTER_RULE),
  z.array(z.string()),
  { decode: (texts) => parseTags([texts].flat().join()), encode: (names) => names.join() },
)

/** The query of a list of links: paging and sorting (spec §4.3), and our own filters. It is a codec, like the forms. */
export const listQuery = z.strictObject({
  page: wireCount(1).describe('The page number, starting at 1.'),
  per_page: wireCount(10, MAX_PER_PAGE).describe('The number of links on a page.'),
  sort_by: z
    .enum(OUR_SORT_FIELDS, 'Use most_recent, created_at, updated_at or clicks.')
    .default('most_recent')
    .describe(
      'The field to sort by. Beyond the specification: `clicks`, the number of clicks by people.',
    ),
  order: z.enum(SORT_ORDERS, 'Use asc or desc.').default('desc').describe('The sort direction.'),
  q: z
    .string(SEARCH_RULE)
    // PostgreSQL rejects strings that contain NUL.
    .overwrite((text) => text.replaceAll(/\p{Cc}/gu, ' ').trim())
    .refine((text) => countCharacters(text) >= 3 && countCharacters(text) <= 200, SEARCH_RULE)
    .meta({ minLength: 3, maxLength: 200 })
    .optional()
    .describe(
      'Only links whose title, destination or short URL contains this text, or whose earlier short URL or back-half is this text. Case is ignored. At most the 1,000 newest matches are listed. Beyond the specification.',
    ),
  tag: tagNames
    .superRefine((names, context) => {
      const message = names.length === 0 ? 'Name at least one tag.' : tagsError(names.join())
      if (message !== undefined) context.addIssue(message)
    })
    .optional()
    .describe(
      'Only links with all of these tags, separated by commas or in repeated parameters. Beyond the specification.',
    ),
  created_by: filterText
    .optional()
    .describe(
      'Only links that this person created, by ID (X-Created-By). Beyond the specification.',
    ),
  expires_before: z.iso
    .datetime({ offset: true, error: INSTANT_RULE })
    .optional()
    .describe(
      'Only links that are turned on and expire between now and this time (ISO 8601 with an offset). Beyond the specification.',
    ),
  state: z
    .enum(['dead'], 'Use dead.')
    .optional()
    .describe(
      'Only links that are turned on and have a dead destination. Beyond the specification.',
    ),
})

export type ListQuery = z.output<typeof listQuery>
export type SortField = ListQuery['sort_by']
export type SortOrder = ListQuery['order']
