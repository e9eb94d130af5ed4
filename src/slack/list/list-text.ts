import { OUR_SORT_FIELDS, SORT_ORDERS } from '../../contract/list-query.ts'
import { parseTags } from '../../contract/tags.ts'
import {
  cleanSearchText,
  filterError,
  FIRST_PAGE,
  parsePageNumber,
  type ListFilter,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { unwrapLink } from '../block-kit/mrkdwn.ts'
import { splitWords } from '../platform/commands.ts'
import { SlackInputError } from '../platform/field-errors.ts'

/**
 * Parses `[mine|<@USER>] [most_recent|created_at|updated_at|clicks] [asc|desc] [page] [tag:name …] [text]`, in any
 * order. The page can be written as `2` or as `page 2`. Of two sort orders or pages, the last one counts. All other
 * words, and anything in quotes, are the search text.
 */
export function parseListText(text: string): ListPosition {
  const position = { ...FIRST_PAGE }
  const searchWords: string[] = []
  const tags: string[] = []
  const words = splitWords(text)
  for (const [index, { word, isQuoted }] of words.entries()) {
    const next = words[index + 1]
    const typed = isQuoted ? '' : word
    const lower = typed.toLowerCase()
    const sort = OUR_SORT_FIELDS.find((field) => field === lower)
    const order = SORT_ORDERS.find((name) => name === lower)
    const [, user] = /^<@([UW][A-Z\d]+)(?:\|[^>]*)?>$/.exec(typed) ?? []
    const [, tag] = /^(?:tags?[:=]|#)(.*)$/is.exec(typed) ?? []
    if (tag !== undefined) tags.push(tag)
    else if (sort) position.sort_by = sort
    else if (order) position.order = order
    else if (isNumber(typed)) position.page = readPage(word)
    else if (lower === 'mine') position.mine = true
    else if (user) position.by = user
    else {
      // The word “page” is left out if the page's number follows.
      const isLabel = lower === 'page' && next && !next.isQuoted && isNumber(next.word)
      if (!isLabel) searchWords.push(unwrapLink(word))
    }
  }
  if (position.mine && position.by) {
    throw new SlackInputError('“mine” and “@…” don’t go together. Type one of them.')
  }
  const searchText = searchWords.length > 0 ? searchWords.join(' ') : undefined
  return { ...position, ...readFilter(searchText, tags.length > 0 ? tags.join() : undefined) }
}

// A longer number is not a page, but search text.
const isNumber = (word: string): boolean => /^-?\d{1,9}$/.test(word)

function readPage(word: string): number {
  const page = parsePageNumber(word)
  if (page !== undefined) return page
  throw new SlackInputError(`“${word}” isn’t a page. Pages are numbered from 1.`)
}

/**
 * @param isForm true if the error can be shown at an input
 * @throws SlackInputError if the text or a tag is too short or too long
 */
export function readFilter(text?: string, tags?: string, isForm = false): ListFilter {
  const filter = {
    ...(text !== undefined && { q: cleanSearchText(text) }),
    ...(tags !== undefined && { tag: parseTags(tags) }),
  }
  const error = filterError(filter)
  if (!error) return filter
  throw new SlackInputError([isForm ? error : { message: error.message }])
}
