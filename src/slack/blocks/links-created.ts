import type { SectionBlock } from '@slack/types'
import { ACTIONS } from '../ids.ts'
import { count } from './count.ts'
import { button, section, type MessageContent } from '../block-kit/elements.ts'
import type { CreatedLink } from './link-created.ts'
import { encodeLinkRef } from './link-ref.ts'
import { cut } from './limits.ts'
import { escape, link, mention, readable } from './mrkdwn.ts'

/** One of several links that were to be made: exactly one of the three is there. */
export interface BatchedLink {
  /** The destination, as it stood in the message. */
  url: string
  created?: CreatedLink
  /** The link that was there already. */
  existing?: CreatedLink
  /** Why there is none, in words. */
  failure?: string
}

/** How a line is written. */
interface Style {
  /** How much of a destination is shown. */
  shown: number
  /** How long a destination is linked. */
  linked: number
  /** The short URL, linked. */
  short: (url: string) => string
}

const FULL: Style = { shown: 80, linked: 150, short: (url) => link(url, readable(url)) }
const BRIEF: Style = { shown: 40, linked: 0, short: (url) => link(url) }

/**
 * Characters of all lines together: from some 12,000 in a message Slack refuses it, whatever its
 * blocks have room for, and each block counts as some more.
 */
const ROOM = 9_500

const SHOWN_FAILURE = 200

/** The one answer for several links, for everybody. @param by who asked for them */
export function linksCreated(all: readonly BatchedLink[], by: string): MessageContent {
  const made = all.flatMap(({ created, existing }) => created ?? existing ?? [])
  const words = `${mention(by)} ${summary(all)}:`
  const lines = all.map((one) => line(one, FULL))
  const length = lines.reduce((sum, { text }) => sum + (text?.text.length ?? 0), 0)
  return {
    text: [words, ...made.map(({ shortlink }) => escape(shortlink.shortlink_url))].join('\n'),
    blocks: [section(words), ...(length <= ROOM ? lines : all.map((one) => line(one, BRIEF)))],
  }
}

function summary(all: readonly BatchedLink[]): string {
  const created = all.filter((one) => one.created).length
  const existing = all.filter((one) => one.existing).length
  const failed = all.length - created - existing
  return [
    created > 0 ? `shortened ${count(created, 'link')}` : 'asked for short links',
    ...(existing > 0 ? [`${existing} ${existing === 1 ? 'was' : 'were'} shortened already`] : []),
    ...(failed > 0 ? [`${failed} could not be shortened`] : []),
  ].join('; ')
}

function line({ url, created, existing, failure }: BatchedLink, style: Style): SectionBlock {
  const destination =
    escape(url).length <= style.linked
      ? link(url, cut(readable(url), style.shown))
      : escape(readable(url), style.shown)
  const made = created ?? existing
  if (!made) return section(`:warning: ${destination}\n${escape(failure ?? '', SHOWN_FAILURE)}`)
  const shortUrl = made.shortlink.shortlink_url
  const note = existing ? '  ·  already shortened' : ''
  // No more than the QR code is drawn from: thirty of these make a message long.
  const kept = made.qrColor && encodeLinkRef({ shortUrl, destination: '', qrColor: made.qrColor })
  return {
    ...section(`${destination}\n→ *${style.short(shortUrl)}*${note}`),
    ...(kept && { accessory: button('Show QR code', ACTIONS.showQr, { value: kept }) }),
  }
}
