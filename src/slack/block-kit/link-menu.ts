import { createHash } from 'node:crypto'
import type { Button, Overflow, PlainTextOption } from '@slack/types'
import type { Capabilities } from '../../port/capabilities.ts'
import type { ListedLink } from '../../port/links.ts'
import { ACTIONS, LINK_BLOCK_PREFIX, LINK_MENU } from '../ids.ts'
import { button, LIMITS, option, present } from './elements.ts'
import { encodeListPosition, type ListPosition } from './list-position.ts'
import { cut, readableUrl } from './mrkdwn.ts'
import { encodeLink, type ShownLink } from './shown-link.ts'

type LinkMenuChoice = (typeof LINK_MENU)[keyof typeof LINK_MENU]

export interface MenuChoice {
  choice: LinkMenuChoice | undefined // Undefined if an earlier version offered a choice that no longer exists.
  key: string
  position: string
}

export function linkButtons(
  link: ShownLink,
  { shareable = false, hasQr = false }: { shareable?: boolean; hasQr?: boolean } = {},
): Button[] {
  const value = encodeLink(link)
  if (value === undefined) return []
  // A screen reader reads the link's URL, too. Otherwise, the buttons of all links in a list would have the same label.
  const valueAndLabel = (text: string): Parameters<typeof button>[2] => ({
    value,
    accessibility_label: cut(`${text}: ${readableUrl(link.shortlink_url)}`, LIMITS.buttonText),
  })
  return present([
    // The longest button is first, so that the two others share a row on a screen of 320 px.
    shareable && button('Share in channel', ACTIONS.shareLink, { value }),
    button('Copy…', ACTIONS.copyLink, valueAndLabel('Copy')),
    !hasQr && button('QR code', ACTIONS.showQr, valueAndLabel('QR code')),
  ])
}

/**
 * Slack allows only five choices in an overflow menu, so the first choice opens a form with all ways to share the link.
 * A static_select allows more, but keeps showing the last choice, and sends nothing if the user chooses it again.
 */
export function linkMenu(
  { name, enabled }: Pick<ListedLink, 'name' | 'enabled'>,
  { capabilities, mayChange }: { capabilities: Capabilities; mayChange: boolean },
): (Overflow | Button)[] {
  const key = linkKey(name)
  const choice = (text: string, id: LinkMenuChoice): PlainTextOption => option(text, `${id}:${key}`)
  const { get, update, clicks, turnOff } = capabilities
  const isOff = enabled === false
  const turn = isOff ? choice('Turn on', LINK_MENU.turnOn) : choice('Turn off', LINK_MENU.turnOff)
  const options = present([
    choice(isOff ? 'Copy, QR code…' : 'Copy, QR code, share…', LINK_MENU.share),
    mayChange && get && update && choice('Edit', LINK_MENU.edit),
    clicks && choice('Clicks, alert me…', LINK_MENU.clicks),
    mayChange && turnOff && turn,
    mayChange && capabilities.delete && choice('Delete', LINK_MENU.delete),
  ])
  const [first] = options
  if (!first) return []
  if (options.length > 1) return [{ type: 'overflow', action_id: ACTIONS.linkMenu, options }]
  // A menu with one choice would need an extra click, and some pages of Slack's documentation don't allow it.
  return [button(first.text.text, ACTIONS.linkMenu, { value: first.value ?? '' })]
}

export const MADE_LINK = 'made' // in the block_id of a message with only one link

export function createdLinkBlockId(index = 0): string {
  return `${LINK_BLOCK_PREFIX}${index}:${MADE_LINK}` // link:0:made
}

export function linkBlockId(position: ListPosition, index: number): string {
  return `${LINK_BLOCK_PREFIX}${index}:${encodeListPosition(position)}` // link:3:most_recent:desc:1
}

export function parseMenuChoice(value: string, blockId: string): MenuChoice {
  const [, name, key] = /^([^:]*):(.*)$/s.exec(value) ?? []
  const choice = Object.values(LINK_MENU).find((id) => id === name)
  const position = parseLinkPosition(blockId)
  if (key === undefined || position === undefined) throw new Error('not the menu of a listed link')
  return { choice, key, position }
}

export function parseLinkPosition(blockId: string): string | undefined {
  return /^\d+:(.*)$/.exec(blockId.slice(LINK_BLOCK_PREFIX.length))?.[1]
}

const MAX_KEY_LENGTH = 64

export function isWholeName(key: string): boolean {
  return !/^[0-9a-f]{64}$/.test(key)
}

/** Returns the key of a link in a menu: its whole `name`, or a hash of a name that is too long for a menu. */
export function linkKey(name: string): string {
  return name.length <= MAX_KEY_LENGTH ? name : createHash('sha256').update(name).digest('hex')
}
