import type { ImageBlock, KnownBlock } from '@slack/types'
import { context, section } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { bold, cut, day, escape, isolate, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'

/** A link as the card below a posted message shows it. */
export interface LinkCard {
  /** As it was posted. */
  shortUrl: string
  destination: string
  /** The title of its custom preview, or its own title. */
  title?: string | undefined
  description?: string | undefined
  /** Absent if Slack can't fetch it. */
  imageUrl?: string | undefined
  /** Absent if a workflow made the link. */
  madeBy?: string | undefined
  /** Milliseconds since 1970. */
  madeAt: number
}

/** How many characters are shown. */
const MAX_TITLE_LENGTH = 150
const MAX_DESCRIPTION_LENGTH = 300
const MAX_DESTINATION_LENGTH = 200

/** Characters of escaped text: the longest title, description and URL fit in one section. */
const MAX_ESCAPED_LENGTH = 1000

/**
 * The card of a link. Its maker chose the title, the description and the picture, which may promise
 * anything. The card therefore always shows where the link leads and who made it.
 */
export function linkCardBlocks(card: LinkCard): KnownBlock[] {
  const { description, imageUrl, destination, madeBy, madeAt } = card
  const leadsTo = isolate(escape(readableUrl(destination, MAX_DESTINATION_LENGTH)))
  return [
    section([headline(card), ...(description ? [descriptionText(description)] : [])].join('\n')),
    ...(imageUrl ? [image(imageUrl, card)] : []),
    context(
      [
        `Leads to ${leadsTo}`,
        `Shortened ${madeBy ? `by ${mention(madeBy)}  ·  ` : ''}${day(madeAt)}`,
      ].join('\n'),
    ),
  ]
}

function headline(card: LinkCard): string {
  const { shortUrl } = card
  const label = isolate(oneLine(labelOf(card), MAX_TITLE_LENGTH))
  return escape(shortUrl).length <= MAX_ESCAPED_LENGTH ? `*${link(shortUrl, label)}*` : bold(label)
}

/** The title, or the short URL if the title has no visible character. */
function labelOf({ shortUrl, title = '' }: LinkCard): string {
  return /[^\s\p{Cf}]/u.test(title) ? title : readableUrl(shortUrl)
}

function descriptionText(description: string): string {
  return isolate(escape(oneLine(description, MAX_DESCRIPTION_LENGTH), MAX_ESCAPED_LENGTH))
}

function image(imageUrl: string, card: LinkCard): ImageBlock {
  const alt = `Preview image of ${labelOf(card)}`
  return { type: 'image', image_url: imageUrl, alt_text: oneLine(alt, LIMITS.altText) }
}

function oneLine(text: string, max: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), max)
}
