import type { SectionBlock } from '@slack/types'
import type { Shortlink } from '../../contract/shortlink.ts'
import { ACTIONS, LINK_BLOCK_PREFIX, LINK_MENU } from '../ids.ts'
import { count } from './count.ts'
import { option, section } from '../block-kit/elements.ts'
import { cut } from './limits.ts'
import { ago, escape, isolate, link, readable } from './mrkdwn.ts'

/** A link as a list shows it. */
export type ListedItem = Shortlink & {
  created_at?: string | undefined
  /** How often it was followed; absent where the service does not say. */
  clicks?: number | undefined
  /** By which it is found again (src/slack/find-link.ts). */
  key: string
}

/** Where a list is shown: in a conversation, or in the Home tab, which has no channel. */
export type ListPlace = 'conversation' | 'home'

/** So much of its texts that a list can be taken in at a glance. */
const SHOWN_TITLE = 100
const SHOWN_DESTINATION = 100

/**
 * One link of a list, with its menu.
 *
 * @param position where in the list it stands: the page, as a button's value has it
 * @param index its number on that page, which keeps block_ids apart
 */
export function linkItem(
  item: ListedItem,
  { position, index, place }: { position: string; index: number; place: ListPlace },
): SectionBlock {
  const share = place === 'home' ? 'Share in a channel' : 'Share in channel'
  return {
    ...section(words(item)),
    block_id: `${LINK_BLOCK_PREFIX}${index}:${position}`,
    accessory: {
      type: 'overflow',
      action_id: ACTIONS.linkMenu,
      options: [
        option('Show QR code', `${LINK_MENU.qr}:${item.key}`),
        option(share, `${LINK_MENU.share}:${item.key}`),
        option('Text to copy', `${LINK_MENU.copy}:${item.key}`),
      ],
    },
  }
}

function words({ shortlink_url: url, title, created_at, clicks, destination_url }: ListedItem) {
  const about = [
    ...(title ? [isolate(escape(cut(title.replace(/\s+/g, ' '), SHOWN_TITLE)))] : []),
    ...(clicks === undefined ? [] : [count(clicks, 'click')]),
    ...(created_at ? [ago(created_at)] : []),
  ].filter(Boolean)
  return [
    [`*${link(url, readable(url))}*`, ...about].join('  ·  '),
    escape(cut(readable(destination_url), SHOWN_DESTINATION)),
  ].join('\n')
}
