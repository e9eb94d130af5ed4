import type { KnownBlock, SectionBlock } from '@slack/types'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { context, plain, section, type MessageContent } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { linkBlockId, linkMenu, linkState } from '../block-kit/link-menu.ts'
import { ago, cut, escape, isolate, link, readableUrl } from '../block-kit/mrkdwn.ts'
import { NO_RIGHTS, type DrawnRights } from '../links/permissions.ts'
import type { ListPage, ListLink } from '../links/link-lists.ts'
import { listControls } from './list-controls.ts'
import { emptyPageText, isFiltered, listTitle, searchNotes } from './list-filter.ts'

/** A page of links, and what drawing it depends on. */
export interface DrawnPage extends ListPage {
  /** What the user may do with the links; absent: only what every link service allows. */
  rights?: DrawnRights
  /** Milliseconds since 1970, to show which links have expired. */
  now?: number
}

/** Where a list is shown: in a conversation, or in the Home tab, where there is no channel. */
export type ListPlace = 'conversation' | 'home'

export function shortUrlsOf({ links }: Pick<DrawnPage, 'links'>): string[] {
  return links.map(({ shortlink_url: url }) => url)
}

/** A page of the workspace's links, as a message. */
export function listMessage(list: DrawnPage): MessageContent {
  const { links, skipped, position } = list
  const title = listTitle(position)
  const isEmpty = links.length + skipped === 0 && position.page === 1
  return {
    text: `${title}, page ${formatNumber(position.page)}`,
    blocks: [
      { type: 'header', text: plain(title, LIMITS.headerText) },
      ...(links.length > 0 ? [] : [section(emptyPageText(list))]),
      ...(isEmpty && !isFiltered(position) ? [] : listBlocks(list, 'conversation')),
    ],
  }
}

/** The links of a page with their menus, a summary, and the buttons to other pages and lists. */
export function listBlocks(list: DrawnPage, place: ListPlace): KnownBlock[] {
  const { links, skipped, position } = list
  const isEmpty = links.length + skipped === 0 && position.page === 1
  return [
    ...searchNotes(list).map(context),
    ...links.map((item, index) => linkBlock(item, linkBlockId(position, index), place, list)),
    ...(isEmpty ? [] : [context(summary(list))]),
    ...listControls(list),
  ]
}

/** How much of a title and a destination a list shows. */
const MAX_TITLE_LENGTH = 100
const MAX_DESTINATION_LENGTH = 100

function linkBlock(
  item: ListLink,
  blockId: string,
  place: ListPlace,
  { rights: { offers, changeable } = NO_RIGHTS, now = 0 }: Pick<DrawnPage, 'rights' | 'now'>,
): SectionBlock {
  const { shortlink_url: url, destination_url: destination } = item
  const { title, clicks, created_at: createdAt } = item
  const details = [
    ...(title ? [isolate(escape(cut(title.replace(/\s+/g, ' '), MAX_TITLE_LENGTH)))] : []),
    ...(clicks === undefined ? [] : [formatCount(clicks, 'click')]),
    ...(createdAt ? [ago(createdAt)] : []),
    item.deleted ? 'deleted' : linkState(item, now),
  ].filter(Boolean)
  const lines = [
    [`*${link(url, readableUrl(url))}*`, ...details].join('  ·  '),
    escape(readableUrl(destination, MAX_DESTINATION_LENGTH)),
  ]
  const share = place === 'home' ? 'Share in a channel' : 'Share in channel'
  return {
    ...section(lines.join('\n')),
    block_id: blockId,
    ...(!item.deleted && {
      accessory: linkMenu(item, { offers, mayChange: changeable.has(url), share }),
    }),
  }
}

function summary({ position: { page }, totalPages, totalItems, skipped }: DrawnPage): string {
  return [
    totalPages && totalPages >= page
      ? `Page ${formatNumber(page)} of ${formatNumber(totalPages)}`
      : `Page ${formatNumber(page)}`,
    ...(totalItems === undefined ? [] : [formatCount(totalItems, 'link')]),
    ...(skipped > 0 ? [`${formatCount(skipped, 'link')} could not be read`] : []),
  ].join('  ·  ')
}
