import type { SectionBlock } from '@slack/types'
import { ACTIONS } from '../ids.ts'
import { count } from './count.ts'
import { button, section, type MessageContent } from './elements.ts'
import { linkRef, type CreatedLink } from './link-created.ts'
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

/**
 * How much of a destination is shown, how long a one is linked, and how much of it a button keeps:
 * Slack takes no more than some 12,000 characters in a message, whatever its blocks have room for.
 */
const SHOWN = 80
const LINKED = 150
const KEPT = 200
const SHOWN_FAILURE = 200

/** The one answer for several links, for everybody. @param by who asked for them */
export function linksCreated(all: readonly BatchedLink[], by: string): MessageContent {
  const made = all.flatMap(({ created, existing }) => created ?? existing ?? [])
  const words = `${mention(by)} shortened ${count(made.length, 'link')}`
  const failed = all.length - made.length
  return {
    text: [`${words}:`, ...made.map(({ shortlink }) => escape(shortlink.shortlink_url))].join('\n'),
    blocks: [
      section(`${words}${failed > 0 ? `; ${failed} could not be shortened` : ''}:`),
      ...all.map(line),
    ],
  }
}

function line({ url, created, existing, failure }: BatchedLink): SectionBlock {
  const shown = cut(readable(url), SHOWN)
  const destination = escape(url).length <= LINKED ? link(url, shown) : escape(shown)
  const made = created ?? existing
  if (!made)
    return section(`:warning: ${destination}\n${escape(cut(failure ?? '', SHOWN_FAILURE))}`)
  const { shortlink_url: shortUrl } = made.shortlink
  const note = existing ? '  ·  already shortened' : ''
  const kept = encodeLinkRef({ ...linkRef(made), destination: cut(url, KEPT) })
  return {
    ...section(`${destination}\n→ *${link(shortUrl, readable(shortUrl))}*${note}`),
    ...(made.qrColor &&
      kept && { accessory: button('Show QR code', ACTIONS.showQr, { value: kept }) }),
  }
}
