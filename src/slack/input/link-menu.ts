import type { BlockElementAction } from '@slack/bolt'
import { LINK_BLOCK_PREFIX, LINK_MENU } from '../ids.ts'
import { decodeListPosition, type ListPosition } from './list-text.ts'

/** What somebody chose in the menu of a listed link. */
export interface ChosenForLink {
  choice: (typeof LINK_MENU)[keyof typeof LINK_MENU]
  /** The link's (src/slack/link-key.ts). */
  key: string
  /** The page on which it stood. */
  position: ListPosition
}

/** @throws when it isn't a menu of ours */
export function parseLinkMenu(action: BlockElementAction): ChosenForLink {
  const value = action.type === 'overflow' ? action.selected_option.value : ''
  const at = value.indexOf(':')
  const choice = Object.values(LINK_MENU).find((one) => one === value.slice(0, Math.max(at, 0)))
  const [, position] = /^\d+:(.*)$/.exec(action.block_id.slice(LINK_BLOCK_PREFIX.length)) ?? []
  if (!choice || position === undefined) throw new Error('not a menu of a listed link')
  return { choice, key: value.slice(at + 1), position: decodeListPosition(position) }
}
