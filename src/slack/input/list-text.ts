import { SORT_FIELDS, SORT_ORDERS, type ListQuery } from '../../contract/list-query.ts'
import { COMMAND } from '../ids.ts'
import { SlackInputError } from './slack-input-error.ts'
import { splitWords } from './split-words.ts'

/** Which page of the workspace's links, in which order. */
export type ListPosition = Pick<ListQuery, 'sort_by' | 'order' | 'page'>

export const FIRST_PAGE: ListPosition = { sort_by: 'most_recent', order: 'desc', page: 1 }

/**
 * Reads `[most_recent|created_at|updated_at] [asc|desc] [page]`, as typed after `/shorten list`,
 * in any order.
 *
 * @throws SlackInputError naming the words that are none of these.
 */
export function parseListText(text: string): ListPosition {
  const position = { ...FIRST_PAGE }
  const unknown: string[] = []
  for (const word of splitWords(text)) {
    const lower = word.toLowerCase()
    const sort = SORT_FIELDS.find((field) => field === lower)
    const order = SORT_ORDERS.find((one) => one === lower)
    if (sort) position.sort_by = sort
    else if (order) position.order = order
    else if (/^[1-9]\d{0,8}$/.test(word)) position.page = Number(word)
    else unknown.push(`“${word}”`)
  }
  if (unknown.length === 0) return position
  throw new SlackInputError([
    {
      message: `I didn’t understand ${unknown.join(', ')}. Write \`${COMMAND} list\`, and after it, if you like, ${SORT_FIELDS.join(', ')}, then asc or desc, then a page number.`,
    },
  ])
}

/** `most_recent:desc:2`, for a button's or an option's value. */
export function encodeListPosition({ sort_by, order, page }: ListPosition): string {
  return [sort_by, order, page].join(':')
}

/** The reverse; anything unreadable is the first page. */
export function decodeListPosition(text: string): ListPosition {
  const [sort = '', order = '', page = ''] = text.split(':')
  try {
    return parseListText([sort, order, page].join(' '))
  } catch {
    return { ...FIRST_PAGE }
  }
}
