import type { KnownBlock, StaticSelect } from '@slack/types'
import type { SortField, SortOrder } from '../../contract/list-query.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import {
  actions,
  button,
  context,
  LIMITS,
  menu,
  option,
  plain,
  present,
  section,
} from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import {
  decodeListPosition,
  encodeListPosition,
  SEARCH_LENGTH,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { escape, isolate, mention } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND, LIST_FILTER, LIST_MENUS_PREFIX } from '../ids.ts'
import type { ListPage } from '../links/link-lists.ts'
import { linkRows, noticeBlocks, type DrawnPage } from './link-rows.ts'

export function listMessage(list: DrawnPage): MessageContent {
  const { position } = list
  const title = listTitle(position)
  const noLinks = `No links yet. Make the first one: \`${COMMAND} https://example.com/some/long/page\``
  const header = { type: 'header', text: plain(title, LIMITS.headerText) } as const
  return {
    text: `${title}, page ${formatNumber(position.page)}`,
    blocks: [header, ...pageBlocks(list, noLinks)],
  }
}

export function pageBlocks(list: DrawnPage, noLinks: string): KnownBlock[] {
  const { links, skipped, position, notice } = list
  const hasRow = links.some(({ name }) => name === notice?.name)
  const top = hasRow ? [] : noticeBlocks(list)
  const isEmpty = links.length + skipped === 0 && position.page === 1
  if (isEmpty && !isFiltered(position)) return [...top, section(noLinks)]
  return [
    ...top,
    ...(links.length > 0 ? [] : [section(emptyPageText(list))]),
    ...listNotes(list).map(context),
    ...linkRows(list),
    ...(isEmpty ? [] : [context(summary(list))]),
    ...listControls(list),
  ]
}

function summary({ position: { page }, totalPages, totalItems, skipped }: DrawnPage): string {
  const ofTotal = totalPages && totalPages >= page ? ` of ${formatNumber(totalPages)}` : ''
  return present([
    `Page ${formatNumber(page)}${ofTotal}`,
    totalItems !== undefined && formatCount(totalItems, 'link'),
    skipped > 0 && `${formatCount(skipped, 'link')} could not be read`,
  ]).join('  ·  ')
}

function isFiltered({ q, mine, by, tag }: ListPosition): boolean {
  return q !== undefined || mine === true || by !== undefined || tag !== undefined
}

export function listTitle({ mine }: ListPosition): string {
  return mine ? 'My links' : 'Links'
}

function listNotes({ links, position, hasMore, isRecord, unavailableSort }: ListPage): string[] {
  const search = ` To search for the word “clicks”, put it in quotes: \`${COMMAND} list "clicks"\``
  const advice = unavailableSort === 'clicks' ? search : ''
  return present([
    links.length > 0 && isFiltered(position) && `Links${filterText(position, isRecord)}.`,
    isRecord &&
      !position.mine &&
      !position.by &&
      'This link service can’t search, so these are the matches among links created in Slack.',
    hasMore &&
      'These are the newest matches, and there might be more. Type more of the text to find older ones.',
    unavailableSort && `This list can’t be sorted like that, so it is sorted by age.${advice}`,
  ])
}

function emptyPageText({ position, isRecord }: ListPage): string {
  const { page, q, tag } = position
  const which = filterText(position, isRecord)
  if (page > 1) {
    // The user might have meant the number as search text, which has a minimum length.
    const isSearchable = String(page).length >= SEARCH_LENGTH.min
    const hint = isSearchable ? ' To search for a number, put it in quotes.' : ''
    return `There are no links${which} on page ${formatNumber(page)}.${hint}`
  }
  if (q !== undefined || tag !== undefined) return `No links${which} were found.`
  return `There are no links${which}.`
}

function filterText({ q, mine, by, tag }: ListPosition, isRecord = false): string {
  const creator = mine ? 'you' : by && mention(by)
  const tags = tag?.map((name) => `*${isolate(escape(name))}*`)
  return present([
    creator && ` that ${creator} created${isRecord ? ' in Slack' : ''}`,
    tags && ` tagged ${tags.join(' and ')}`,
    q !== undefined && ` with “${isolate(escape(q))}”`,
  ]).join('')
}

/** The menus and buttons below a list. The block_id holds the list's position, which is too long for a menu's value. */
function listControls(list: DrawnPage): KnownBlock[] {
  const { position, hasNext } = list
  const previous = previousPage(list)
  const valueAt = (change: Partial<ListPosition>): { value: string } => ({
    value: encodeListPosition({ ...position, ...change }),
  })
  const all = valueAt({ page: 1, q: undefined, mine: undefined, by: undefined, tag: undefined })
  const blockId = `${LIST_MENUS_PREFIX}${encodeListPosition(position)}`
  // Without a creator filter in the service, My links are taken from the app's record, which has no tags.
  const canFilter = position.tag === undefined || list.rights.capabilities.creatorFilter
  return actions([
    previous !== undefined && button('Previous', ACTIONS.listPrevious, valueAt({ page: previous })),
    hasNext && button('Next', ACTIONS.listNext, valueAt({ page: position.page + 1 })),
    canFilter && filterMenu(position),
    sortMenu(list),
    button('Search', ACTIONS.listSearch, valueAt({})),
    isFiltered(position) && button('Show all links', ACTIONS.listShowAll, all),
  ]).map((block) => ({ ...block, block_id: blockId }))
}

export function chosenPosition(actionId: string, blockId: string, value: string): ListPosition {
  const isMenu = blockId.startsWith(LIST_MENUS_PREFIX)
  const position = decodeListPosition(isMenu ? blockId.slice(LIST_MENUS_PREFIX.length) : '')
  if (actionId === ACTIONS.listFilter) {
    const mine = value === LIST_FILTER.mine ? (true as const) : undefined
    return { ...position, page: 1, mine, by: undefined }
  }
  const { sort_by, order } = decodeListPosition(value)
  return { ...position, sort_by, order, page: 1 }
}

function filterMenu({ mine, by }: ListPosition): StaticSelect {
  const allLinks = option('All links', LIST_FILTER.all)
  const myLinks = option('My links', LIST_FILTER.mine)
  const selected = mine ? myLinks : allLinks
  return menu(ACTIONS.listFilter, 'Filter links', [allLinks, myLinks], by ? undefined : selected)
}

/**
 * `most_recent` and `created_at` are the same order, so the menu has only one of them: the one that the list has now.
 */
function sortMenu({ position: { sort_by, order }, isRecord, rights }: DrawnPage) {
  const byCreation = sort_by === 'created_at' ? 'created_at' : 'most_recent'
  const { sorts, orders } = rights.capabilities
  const options = SORTS.filter(([field, direction]) => {
    if (isRecord) return field === 'most_recent'
    const isCurrent = field === sort_by && direction === order
    return isCurrent || (sorts.includes(field) && orders.includes(direction))
  }).map(([field, direction, text]) =>
    option(text, `${field === 'most_recent' ? byCreation : field}:${direction}`),
  )
  if (options.length < 2) return undefined
  const selected = options.find(({ value }) => value === `${sort_by}:${order}`)
  return menu(ACTIONS.listSort, 'Sort links', options, selected)
}

const SORTS: [SortField, SortOrder, string][] = [
  ['most_recent', 'desc', 'Most recent first'],
  ['most_recent', 'asc', 'Oldest first'],
  ['updated_at', 'desc', 'Updated: newest first'],
  ['updated_at', 'asc', 'Updated: oldest first'],
  ['clicks', 'desc', 'Most clicked first'],
  ['clicks', 'asc', 'Least clicked first'],
]

/**
 * The number of the previous page. If the shown page is beyond the end of the list, this is the last page with links.
 */
function previousPage({ links, totalPages, position: { page } }: ListPage): number | undefined {
  if (page === 1) return undefined
  if (links.length > 0) return page - 1
  return Math.max(1, Math.min(totalPages ?? 1, page - 1))
}
