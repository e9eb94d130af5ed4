import { OUR_SORT_FIELDS, SORT_ORDERS, type ListQuery } from '../../contract/list-query.ts'
import { parseTags, tagsError } from '../../contract/tags.ts'
import { LINK_BLOCK_PREFIX } from '../ids.ts'
import type { Field } from './fields.ts'
import { LIMITS } from './elements.ts'

export interface ListFilter {
  q?: string | undefined
  tag?: string[] | undefined
}

/** What a list shows. Its buttons and menus contain this, so the app doesn't have to store what each message shows. */
export interface ListPosition extends ListFilter, Pick<ListQuery, 'sort_by' | 'order' | 'page'> {
  mine?: true | undefined
  by?: string | undefined // a user ID
}

export const FIRST_PAGE: ListPosition = { sort_by: 'most_recent', order: 'desc', page: 1 }

/**
 * Encodes a position for a button's value or a block_id: `most_recent:desc:2:all,print:spring+sale`. The result is ASCII
 * without `&`, `<` and `>`, which Slack might escape. A filter without a `filterError` fits into both.
 */
export function encodeListPosition(position: ListPosition): string {
  const { sort_by, order, page, q, mine, by, tag } = position
  const start = [sort_by, order, page]
  if (q === undefined && !mine && !by && tag === undefined) return start.join(':')
  const creatorAndTags = [mine ? 'mine' : (by ?? 'all')]
  if (tag) creatorAndTags.push(encodeText(tag.join()))
  return [...start, creatorAndTags.join(), ...(q === undefined ? [] : [encodeText(q)])].join(':')
}

export function decodeListPosition(text: string): ListPosition {
  const [sort, order, page = '', creatorAndTags = '', ...searchText] = text.split(':')
  const [creator = '', ...tags] = creatorAndTags.split(',')
  const filter = {
    ...(searchText.length > 0 && { q: decodeText(searchText.join(':')) }),
    ...(tags.length > 0 && { tag: parseTags(decodeText(tags.join())) }),
  }
  return {
    sort_by: OUR_SORT_FIELDS.find((field) => field === sort) ?? FIRST_PAGE.sort_by,
    order: SORT_ORDERS.find((name) => name === order) ?? FIRST_PAGE.order,
    page: parsePageNumber(page) ?? FIRST_PAGE.page,
    ...(filterError(filter) === undefined && filter),
    ...(creator === 'mine' && { mine: true as const }),
    ...(/^[UW][A-Z\d]+$/.test(creator) && { by: creator }),
  }
}

/** Encodes `spring sale` as `spring+sale`. Uses base64 for other characters than ASCII, because it is shorter. */
function encodeText(text: string): string {
  if (/[^ -~]/.test(text)) return BASE64 + Buffer.from(text).toString('base64url')
  return text.replaceAll(/[%&<>+]/g, encodeURIComponent).replaceAll(' ', '+')
}

const BASE64 = '%.' // Percent-encoded text never starts like this.

function decodeText(encoded: string): string {
  if (encoded.startsWith(BASE64)) return Buffer.from(encoded.slice(2), 'base64url').toString()
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return '' // Not encoded by this app.
  }
}

/** The length of a search text in characters. Link services that can search have the same limits. */
export const SEARCH_LENGTH = { min: 3, max: 200 }

export const cleanSearchText = (typed: string): string =>
  typed
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()

function searchTextError(text: string): string | undefined {
  const { min, max } = SEARCH_LENGTH
  if (text.length > max) return `Use ${max} characters or fewer.`
  if (Array.from(text).length >= min) return undefined
  return text === ''
    ? `Type what to search for: at least ${min} characters.`
    : `“${text}” is too short to search for. A search needs at least ${min} characters.`
}

/** The length of an encoded filter that fits into a block_id, even if all other parts have their greatest length. */
const MAX_FILTER_LENGTH =
  LIMITS.blockId - `${LINK_BLOCK_PREFIX}99:most_recent:desc:999999999:U0123456789ABC,:`.length

export function filterError({ q, tag }: ListFilter): { field: Field; message: string } | undefined {
  const tags = tag?.join() ?? ''
  // `tagsError` ignores one # in front of each name, so a name that begins with # itself is refused.
  const hashtags = tag?.map((name) => `#${name}`).join() ?? ''
  const tagProblem = tag?.length === 0 ? NO_TAG : tagsError(hashtags)
  if (tagProblem !== undefined) return { field: 'search_tags', message: tagProblem }
  const textProblem = q === undefined ? undefined : searchTextError(q)
  if (textProblem !== undefined) return { field: 'search_text', message: textProblem }
  const isTooLong = encodeText(q ?? '').length + encodeText(tags).length > MAX_FILTER_LENGTH
  return isTooLong ? { field: 'search_text', message: TOO_LONG } : undefined
}

const NO_TAG = 'Type a tag right after “tag:”, like tag:spring or tag:"Spring sale".'
const TOO_LONG = 'This is too long for a list in Slack. Leave out a part of it.'

export function parsePageNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
