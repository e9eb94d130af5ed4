import { SORT_FIELDS, SORT_ORDERS } from '../../contract/list-query.ts'
import { COMMAND } from '../ids.ts'
import { splitWords } from '../platform/commands.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { FIRST_PAGE, parsePageNumber, type ListPosition } from '../platform/link-pages.ts'

/**
 * Parses `[most_recent|created_at|updated_at] [asc|desc] [page]`, the text after `/shorten list`, in any
 * order.
 *
 * @throws SlackInputError with every word that is not one of these
 */
export function parseListText(text: string): ListPosition {
  const position = { ...FIRST_PAGE }
  const unknown: string[] = []
  for (const word of splitWords(text)) {
    const lower = word.toLowerCase()
    const sort = SORT_FIELDS.find((field) => field === lower)
    const order = SORT_ORDERS.find((name) => name === lower)
    const page = parsePageNumber(word)
    if (sort) position.sort_by = sort
    else if (order) position.order = order
    else if (page) position.page = page
    else unknown.push(`“${word}”`)
  }
  if (unknown.length === 0) return position
  throw new SlackInputError([
    {
      message: `Backhalf didn’t understand ${unknown.join(', ')}. After ${COMMAND} list you can type ${SORT_FIELDS.join(', ')}, then asc or desc, then a page number.`,
    },
  ])
}
