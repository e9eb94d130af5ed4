import type { KnownBlock, PlainTextOption, SectionBlock } from '@slack/types'
import type { LinkPage } from '../../client/link-client.ts'
import type { ListedLink } from '../../client/link-page.ts'
import type { SortField, SortOrder } from '../../contract/list-query.ts'
import {
  actions,
  button,
  context,
  option,
  plain,
  section,
  type MessageContent,
} from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { ago, cut, escape, isolate, link, readableUrl } from '../block-kit/mrkdwn.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import { linkBlockId, linkMenu, linkState, NO_RIGHTS, type DrawnRights } from '../link-menu/menu.ts'
import { encodeListPosition, type ListPosition } from '../platform/link-pages.ts'

/** A page of links, and its position in the list. */
export interface ListPage extends Omit<LinkPage, 'page' | 'perPage'> {
  position: ListPosition
  /** What the user may do with the links; absent: only what every link service allows. */
  rights?: DrawnRights
  /** Milliseconds since 1970, to show which links have expired. */
  now?: number
}

/** Where a list is shown: in a conversation, or in the Home tab, where there is no channel. */
export type ListPlace = 'conversation' | 'home'

/**
 * The orders to choose from. `most_recent` and `created_at` are the same order, so only one of the two is
 * offered: the one that the list has now.
 */
function sorts({ sort_by }: ListPosition): [SortField, SortOrder, string][] {
  const created = sort_by === 'created_at' ? 'created_at' : 'most_recent'
  return [
    [created, 'desc', 'Most recent first'],
    [created, 'asc', 'Oldest first'],
    ['updated_at', 'desc', 'Updated: newest first'],
    ['updated_at', 'asc', 'Updated: oldest first'],
  ]
}

export function shortUrlsOf({ links }: Pick<LinkPage, 'links'>): string[] {
  return links.map(({ shortlink_url: url }) => url)
}

/** A page of the workspace's links, as a message. */
export function listMessage(list: ListPage): MessageContent {
  const { links, skipped, position } = list
  const isEmpty = links.length + skipped === 0 && position.page === 1
  return {
    text: `Links, page ${formatNumber(position.page)}`,
    blocks: [
      { type: 'header', text: plain('Links', LIMITS.headerText) },
      ...(links.length > 0 ? [] : [section(emptyPageText(list))]),
      ...(isEmpty ? [] : listBlocks(list, 'conversation')),
    ],
  }
}

/** The links of a page with their menus, a summary, and the buttons to other pages. */
export function listBlocks(list: ListPage, place: ListPlace): KnownBlock[] {
  const position = encodeListPosition(list.position)
  return [
    ...list.links.map((item, index) => linkBlock(item, linkBlockId(position, index), place, list)),
    context(summary(list)),
    ...controls(list),
  ]
}

export function emptyPageText({ position: { page } }: ListPage): string {
  return page === 1
    ? `No links yet. Make the first one: \`${COMMAND} https://example.com/some/long/page\``
    : `There are no links on page ${formatNumber(page)}.`
}

/** How much of a title and a destination a list shows. */
const MAX_TITLE_LENGTH = 100
const MAX_DESTINATION_LENGTH = 100

function linkBlock(
  item: ListedLink,
  blockId: string,
  place: ListPlace,
  { rights: { offers, changeable } = NO_RIGHTS, now = 0 }: Pick<ListPage, 'rights' | 'now'>,
): SectionBlock {
  const { shortlink_url: url, destination_url: destination } = item
  const { title, clicks, created_at: createdAt } = item
  const details = [
    ...(title ? [isolate(escape(cut(title.replace(/\s+/g, ' '), MAX_TITLE_LENGTH)))] : []),
    ...(clicks === undefined ? [] : [formatCount(clicks, 'click')]),
    ...(createdAt ? [ago(createdAt)] : []),
    linkState(item, now),
  ].filter(Boolean)
  const lines = [
    [`*${link(url, readableUrl(url))}*`, ...details].join('  ·  '),
    escape(readableUrl(destination, MAX_DESTINATION_LENGTH)),
  ]
  const share = place === 'home' ? 'Share in a channel' : 'Share in channel'
  return {
    ...section(lines.join('\n')),
    block_id: blockId,
    accessory: linkMenu(item, { offers, mayChange: changeable.has(url), share }),
  }
}

function summary({ position: { page }, totalPages, totalItems, skipped }: ListPage): string {
  return [
    totalPages && totalPages >= page
      ? `Page ${formatNumber(page)} of ${formatNumber(totalPages)}`
      : `Page ${formatNumber(page)}`,
    ...(totalItems === undefined ? [] : [formatCount(totalItems, 'link')]),
    ...(skipped > 0 ? [`${formatCount(skipped, 'link')} could not be read`] : []),
  ].join('  ·  ')
}

function controls(list: ListPage): KnownBlock[] {
  const { position, hasNext } = list
  const options = sorts(position).map(([field, order, text]) => option(text, `${field}:${order}`))
  const selected = options.find(
    ({ value }) => value === `${position.sort_by}:${position.order}`,
  ) as PlainTextOption
  const previous = previousPage(list)
  const at = (page: number): { value: string } => ({
    value: encodeListPosition({ ...position, page }),
  })
  return actions([
    ...(previous ? [button('Previous', ACTIONS.listPrevious, at(previous))] : []),
    ...(hasNext ? [button('Next', ACTIONS.listNext, at(position.page + 1))] : []),
    {
      type: 'static_select',
      action_id: ACTIONS.listSort,
      options,
      initial_option: selected,
    },
  ])
}

/** The page before this one. From beyond the end of the list, that is the last page with links. */
function previousPage({ links, totalPages, position: { page } }: ListPage): number | undefined {
  if (page === 1) return undefined
  if (links.length > 0) return page - 1
  return Math.max(1, Math.min(totalPages ?? 1, page - 1))
}
