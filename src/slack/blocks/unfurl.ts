import type { ImageBlock, KnownBlock } from '@slack/types'
import { context, section } from '../block-kit/elements.ts'
import { cut, LIMITS } from './limits.ts'
import { bold, day, escape, isolate, link, mention, readable } from './mrkdwn.ts'

/** A link as it is shown below a message in which somebody posted it. */
export interface UnfurledLink {
  /** As it was posted. */
  shortUrl: string
  destination: string
  /** What its custom preview calls it, else its own title. */
  title?: string | undefined
  description?: string | undefined
  /** Absent where Slack can't fetch it. */
  imageUrl?: string | undefined
  /** Absent where no person made it, but a workflow. */
  madeBy?: string | undefined
  /** Milliseconds since 1970. */
  madeAt: number
}

/** How much is shown, so that the card stays one. */
const SHOWN_TITLE = 150
const SHOWN_DESCRIPTION = 300
const SHOWN_DESTINATION = 200

/** Of escaped text: a title, a description and a URL of the longest kind fit one section. */
const ESCAPED = 1000

/**
 * The card of a link. Title, description and picture are its maker's and may promise anything: the
 * card always says where the link really leads, and who made it.
 */
export function unfurlBlocks(one: UnfurledLink): KnownBlock[] {
  const { description, imageUrl, destination, madeBy, madeAt } = one
  return [
    section([headline(one), ...(description ? [words(description)] : [])].join('\n')),
    ...(imageUrl ? [picture(imageUrl, one)] : []),
    context(
      [
        `Leads to ${isolate(escape(cut(readable(destination), SHOWN_DESTINATION)))}`,
        `Shortened ${madeBy ? `by ${mention(madeBy)}  ·  ` : ''}${day(madeAt)}`,
      ].join('\n'),
    ),
  ]
}

function headline({ shortUrl, title }: UnfurledLink): string {
  const shown = isolate(oneLine(nameOf({ shortUrl, title }), SHOWN_TITLE))
  return escape(shortUrl).length <= ESCAPED ? `*${link(shortUrl, shown)}*` : bold(shown)
}

/** A title that nobody can see would be a link that nobody can see. */
function nameOf({ shortUrl, title = '' }: Pick<UnfurledLink, 'shortUrl' | 'title'>): string {
  return /[^\s\p{Cf}]/u.test(title) ? title : readable(shortUrl)
}

function words(description: string): string {
  return isolate(escape(oneLine(description, SHOWN_DESCRIPTION), ESCAPED))
}

function picture(imageUrl: string, { title, shortUrl }: UnfurledLink): ImageBlock {
  const alt = `Preview image of ${nameOf({ title, shortUrl })}`
  return { type: 'image', image_url: imageUrl, alt_text: oneLine(alt, LIMITS.altText) }
}

function oneLine(text: string, max: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), max)
}
