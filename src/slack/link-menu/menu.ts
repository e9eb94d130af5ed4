import type { BlockElementAction } from '@slack/bolt'
import type { Overflow } from '@slack/types'
import { createHash } from 'node:crypto'
import { option } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { ACTIONS, LINK_BLOCK_PREFIX, LINK_MENU } from '../ids.ts'
import { encodeListPosition, type ListPosition } from '../platform/link-pages.ts'

/** The menu of a listed link, and what comes back when the user chooses from it. */

/** What a user chose in a link's menu. */
export interface MenuChoice {
  choice: (typeof LINK_MENU)[keyof typeof LINK_MENU]
  /** Identifies the link (`linkKey`). */
  key: string
  /** The page that the link was on, encoded. */
  position: string
}

/** The menu of a link. @param share the label of its choice to share the link */
export function linkMenu(key: string, share: string): Overflow {
  return {
    type: 'overflow',
    action_id: ACTIONS.linkMenu,
    options: [
      option('Show QR code', `${LINK_MENU.qr}:${key}`),
      option(share, `${LINK_MENU.share}:${key}`),
      option('Copy as text', `${LINK_MENU.copy}:${key}`),
    ],
  }
}

/**
 * The block_id of a listed link. If a search text in another script is too long for it, the position is that of the
 * list without the search; the link is then found around it, or by its name.
 *
 * @param index the link's place on the page, which makes the block_id unique
 */
export function linkBlockId(position: ListPosition, index: number): string {
  const idOf = (at: ListPosition): string =>
    `${LINK_BLOCK_PREFIX}${index}:${encodeListPosition(at)}`
  const blockId = idOf(position)
  return blockId.length <= LIMITS.blockId ? blockId : idOf({ ...position, q: undefined })
}

/** Reads what the user chose. @throws if it is not a link's menu */
export function parseMenuChoice(action: BlockElementAction): MenuChoice {
  const value = action.type === 'overflow' ? action.selected_option.value : ''
  const colon = value.indexOf(':')
  const name = value.slice(0, Math.max(colon, 0))
  const choice = Object.values(LINK_MENU).find((known) => known === name)
  const [, position] = /^\d+:(.*)$/.exec(action.block_id.slice(LINK_BLOCK_PREFIX.length)) ?? []
  if (!choice || position === undefined) throw new Error('not the menu of a listed link')
  return { choice, key: value.slice(colon + 1), position }
}

/** The longest key that an option's value has room for, besides the choice. */
const MAX_KEY_LENGTH = 64

/** Identifies a link in a menu: its `name`, or a hash of a name that is too long for a menu. */
export function linkKey(name: string): string {
  return name.length <= MAX_KEY_LENGTH ? name : createHash('sha256').update(name).digest('hex')
}
