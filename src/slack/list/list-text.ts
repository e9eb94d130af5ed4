import { SORT_FIELDS, SORT_ORDERS } from '../../contract/list-query.ts'
import type { Field } from '../block-kit/fields.ts'
import {
  FIRST_PAGE,
  parsePageNumber,
  searchTextError,
  searchTextOf,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { unwrapLink } from '../block-kit/mrkdwn.ts'
import { splitQuotedWords } from '../platform/commands.ts'
import { SlackInputError } from '../platform/field-errors.ts'

/**
 * Parses `[mine] [most_recent|created_at|updated_at] [asc|desc] [page] [text]`, the text after `/shorten list`, in
 * any order. Every other word, and what is in quotes, is searched for.
 *
 * @throws SlackInputError if the text is too short or too long to be searched for
 */
export function parseListText(text: string): ListPosition {
  const position = { ...FIRST_PAGE }
  const wanted: string[] = []
  for (const { word, isQuoted } of splitQuotedWords(text)) {
    const lower = isQuoted ? undefined : word.toLowerCase()
    const sort = SORT_FIELDS.find((field) => field === lower)
    const order = SORT_ORDERS.find((name) => name === lower)
    const page = isQuoted ? undefined : parsePageNumber(word)
    if (sort) position.sort_by = sort
    else if (order) position.order = order
    else if (page) position.page = page
    else if (lower === 'mine') position.mine = true
    else wanted.push(unwrapLink(word))
  }
  return wanted.length > 0 ? { ...position, q: readSearchText(wanted.join(' ')) } : position
}

/**
 * @param field the input that the user typed the text into
 * @throws SlackInputError if the text can't be searched for
 */
export function readSearchText(typed: string, field?: Field): string {
  const text = searchTextOf(typed)
  const message = searchTextError(text)
  if (message === undefined) return text
  throw new SlackInputError([{ ...(field && { field }), message }])
}
