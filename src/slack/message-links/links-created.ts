import type { SectionBlock } from '@slack/types'
import { button, section, type MessageContent } from '../block-kit/elements.ts'
import { destinationLink, escape, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'
import { formatCount } from '../../web/numbers.ts'
import { encodeLink, STATE_TEXTS, type ShownLink } from '../block-kit/shown-link.ts'
import { ACTIONS } from '../ids.ts'

/** The result for one of several destinations. It has one of `created`, `duplicate` and `failure`. */
export interface BatchResult {
  /** The destination, as in the message. */
  url: string
  created?: ShownLink
  /** The link that the destination already had. */
  duplicate?: ShownLink
  /** Why there is no link, in words. */
  failure?: string
  /** Whether the link may have been made although there is a failure. */
  uncertain?: boolean
}

interface Detail {
  /** How many characters of the destination are shown. */
  shown: number
  /** The maximum length of a destination that is shown as a link. */
  linked: number
  shortLink: (url: string) => string
}

const FULL: Detail = { shown: 80, linked: 150, shortLink: (url) => link(url, readableUrl(url)) }
const BRIEF: Detail = { shown: 40, linked: 0, shortLink: (url) => link(url) }

/**
 * If all lines together are longer than this, in characters, they are shortened. Slack refuses messages of
 * more than about 12,000 characters, even if each block is within its limit. Each block adds to the count.
 */
const MAX_FULL_LENGTH = 9_500

const MAX_FAILURE_LENGTH = 200

/** The one answer for several links, which everyone sees. @param by the user who asked for them */
export function linksCreatedMessage(results: readonly BatchResult[], by: string): MessageContent {
  const links = results.flatMap(({ created, duplicate }) => created ?? duplicate ?? [])
  const heading = `${mention(by)} ${summary(results)}:`
  const lines = results.map((result) => line(result, FULL))
  const length = lines.reduce((sum, { text }) => sum + (text?.text.length ?? 0), 0)
  return {
    text: [heading, ...links.map(({ shortlink_url: shortUrl }) => escape(shortUrl))].join('\n'),
    blocks: [
      section(heading),
      ...(length <= MAX_FULL_LENGTH ? lines : results.map((result) => line(result, BRIEF))),
    ],
  }
}

function summary(results: readonly BatchResult[]): string {
  const created = results.filter((result) => result.created).length
  const duplicates = results.filter((result) => result.duplicate).length
  const uncertain = results.filter((result) => result.uncertain).length
  const failed = results.length - created - duplicates - uncertain
  return [
    created > 0 ? `shortened ${formatCount(created, 'link')}` : 'asked for short links',
    ...(duplicates > 0 ? [`${duplicates} already had a short link`] : []),
    ...(uncertain > 0 ? [`${uncertain} may have been shortened`] : []),
    ...(failed > 0 ? [`${failed} could not be shortened`] : []),
  ].join('; ')
}

function line({ url, created, duplicate, failure }: BatchResult, detail: Detail): SectionBlock {
  const destination =
    escape(url).length <= detail.linked
      ? destinationLink(url, detail.shown)
      : escape(readableUrl(url, detail.shown))
  const result = created ?? duplicate
  if (!result) {
    return section(`:warning: ${destination}\n${escape(failure ?? '', MAX_FAILURE_LENGTH)}`)
  }
  const { qrColor, hasPublicQr, shortlink_url, state } = result
  const ended = state ? `, but ${STATE_TEXTS[state]}` : ''
  const note = duplicate ? `  ·  already existed${ended}` : ''
  // The button carries only what the QR code is drawn from, because thirty of them make a long message.
  const value = qrColor && encodeLink({ shortlink_url, qrColor, hasPublicQr })
  return {
    ...section(`${destination}\n→ *${detail.shortLink(shortlink_url)}*${note}`),
    ...(value && { accessory: button('Show QR code', ACTIONS.showQr, { value }) }),
  }
}
