import type { KnownBlock, PlainTextOption } from '@slack/types'
import type { SortField, SortOrder } from '../../contract/list-query.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import { count, grouped } from './count.ts'
import {
  button,
  context,
  option,
  plain,
  section,
  type MessageContent,
} from '../block-kit/elements.ts'
import { LIMITS } from './limits.ts'
import { linkItem, type ListedItem, type ListPlace } from './link-item.ts'

/** One page of links as it is shown. */
export interface LinkListPage {
  links: ListedItem[]
  /** Links that the service sent and that could not be read. */
  skipped: number
  page: number
  totalItems?: number | undefined
  totalPages?: number | undefined
  sortBy: SortField
  order: SortOrder
  /** Where it stands, and where the buttons lead, as they send it back; absent: nowhere. */
  position: string
  previous?: string | undefined
  next?: string | undefined
}

const SORTS: [SortField, SortOrder, string][] = [
  ['most_recent', 'desc', 'Most recent first'],
  ['most_recent', 'asc', 'Oldest first'],
  ['created_at', 'desc', 'Created: newest first'],
  ['created_at', 'asc', 'Created: oldest first'],
  ['updated_at', 'desc', 'Updated: newest first'],
  ['updated_at', 'asc', 'Updated: oldest first'],
]

/** The workspace's links, ten a page, with buttons that lead on. */
export function linkList(page: LinkListPage): MessageContent {
  return {
    text: `Links, page ${grouped(page.page)}`,
    blocks: [
      { type: 'header', text: plain('Links', LIMITS.headerText) },
      ...(page.links.length > 0 ? [] : [section(nothingHere(page))]),
      ...(isEmpty(page) ? [] : linkListBlocks(page, 'conversation')),
    ],
  }
}

/** The links of a page with their menus, where the page stands, and its buttons. */
export function linkListBlocks(page: LinkListPage, place: ListPlace): KnownBlock[] {
  const { position } = page
  return [
    ...page.links.map((item, index) => linkItem(item, { position, index, place })),
    context(summary(page)),
    controls(page),
  ]
}

/** Whether there is nothing to turn pages of, or to sort. */
function isEmpty({ links, skipped, page }: LinkListPage): boolean {
  return links.length + skipped === 0 && page === 1
}

export function nothingHere({ page }: LinkListPage): string {
  return page === 1
    ? `No links yet. Make the first one: \`${COMMAND} https://example.com/some/long/page\``
    : `There is nothing on page ${grouped(page)}.`
}

function summary({ page, totalPages, totalItems, skipped }: LinkListPage): string {
  return [
    totalPages && totalPages >= page
      ? `Page ${grouped(page)} of ${grouped(totalPages)}`
      : `Page ${grouped(page)}`,
    ...(totalItems === undefined ? [] : [count(totalItems, 'link')]),
    ...(skipped > 0 ? [`${count(skipped, 'link')} could not be read`] : []),
  ].join('  ·  ')
}

function controls({ previous, next, sortBy, order }: LinkListPage): KnownBlock {
  const options = SORTS.map(([field, way, text]) => option(text, `${field}:${way}`))
  const chosen = options.find(({ value }) => value === `${sortBy}:${order}`) as PlainTextOption
  return {
    type: 'actions',
    elements: [
      ...(previous ? [button('Previous', ACTIONS.listPrevious, { value: previous })] : []),
      ...(next ? [button('Next', ACTIONS.listNext, { value: next })] : []),
      {
        type: 'static_select',
        action_id: ACTIONS.listSort,
        options,
        initial_option: chosen,
      },
    ],
  }
}
