import type { ImageBlock, KnownBlock, LinkUnfurls } from '@slack/types'
import type { Logger } from 'pino'
import { isLoopbackHostname, isPublicHostname } from '../../http/public-hostname.ts'
import type { MadeLinks, RecordedLink } from '../../workspaces/made-links.ts'
import { context, section } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { bold, cut, day, escape, isolate, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'
import { EVENTS } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'

/** The cards below posted short links. */
export function registerUnfurl(
  listeners: Listeners,
  { logger }: Platform,
  { madeLinks, reachesLoopback }: { madeLinks: MadeLinks; reachesLoopback?: boolean | undefined },
): void {
  const showCards = createShowCards(madeLinks, logger, reachesLoopback)
  listeners.event(EVENTS.linkShared, async (caller, { event }) => {
    const { source, channel, message_ts: ts, links } = event
    // While a user is still writing, the link shows no card.
    if (source === 'composer') return
    await showCards(caller, { channel, ts, urls: links.map(({ url }) => url) })
  })
}

/** Cards below one message: few enough that the conversation stays readable. */
const MAX_CARDS = 5

/** URLs of one message that are looked up. */
const MAX_LOOKUPS = 50

/**
 * Slack's codes for a message that is gone, a domain whose unfurls an administrator turned off, an app that
 * was uninstalled meanwhile, or a missing scope links:write.
 */
const EXPECTED_CODES = [
  'account_inactive',
  'cannot_find_channel',
  'cannot_find_message',
  'cannot_unfurl_message',
  'cannot_unfurl_url',
  'missing_scope',
  'token_revoked',
]

/** A message with links on the app's domains. */
interface PostedMessage {
  channel: string
  ts: string
  urls: readonly string[]
}

/**
 * Creates what shows below a posted message where its short links lead: it adds a card for each link that the workspace made in Slack.
 * Other links are not known here. A link that is written in several ways gets one card. Repeating it changes nothing,
 * because Slack keeps one card per URL.
 *
 * The function throws if Slack can't be reached, or refuses for an unexpected reason.
 *
 * @param reachesLoopback whether Slack fetches pictures from this machine, as the playground's does
 */
export function createShowCards(
  madeLinks: Pick<MadeLinks, 'find'>,
  logger: Logger,
  reachesLoopback = false,
) {
  async function findLinks(workspaceId: string, urls: readonly string[]): Promise<Card[]> {
    const found = new Map<string, Card>()
    for (const shortUrl of [...new Set(urls)].slice(0, MAX_LOOKUPS)) {
      if (found.size === MAX_CARDS) break
      const link = await madeLinks.find(workspaceId, shortUrl)
      if (link && !found.has(link.address)) found.set(link.address, { ...link, shortUrl })
    }
    return [...found.values()]
  }

  return async ({ client, mayShowCards, workspace }: Caller, message: PostedMessage) => {
    if (!mayShowCards) return
    const { channel, ts, urls } = message
    const links = await findLinks(workspace.id, urls)
    if (links.length === 0) return
    const pictures = links.map(({ previewImageUrl: url }) =>
      canSlackShow(url, reachesLoopback) ? url : undefined,
    )
    const attach = (withPictures: boolean) => {
      const cards = links.map((link, index) => [
        link.shortUrl,
        { blocks: linkCardBlocks(link, withPictures ? pictures[index] : undefined) },
      ])
      const unfurls = Object.fromEntries(cards) as LinkUnfurls
      return client.chat.unfurl({ channel, ts, unfurls })
    }
    try {
      await attach(true).catch((error: unknown) => {
        // If Slack accepted a card before, only its picture can make Slack refuse it now.
        if (isContentRefused(error) && pictures.some(Boolean)) return attach(false)
        throw error
      })
    } catch (error) {
      const code = slackErrorCode(error) ?? ''
      if (!EXPECTED_CODES.includes(code)) throw error
      logger.debug({ workspaceId: workspace.id, code }, 'a posted link got no card')
    }
  }
}

/** Slack fetches pictures from the internet over https, and does not show SVG. */
function canSlackShow(imageUrl = '', reachesLoopback: boolean): boolean {
  const url = URL.parse(imageUrl)
  if (!url) return false
  const isPublic = url.protocol === 'https:' && isPublicHostname(url.hostname)
  return (
    (isPublic || (reachesLoopback && isLoopbackHostname(url.hostname))) &&
    !/\.svg$/i.test(url.pathname) &&
    imageUrl.length <= LIMITS.imageUrl
  )
}

/** Whether Slack refused the content, for example because it could not fetch a picture. */
function isContentRefused(error: unknown): boolean {
  const code = slackErrorCode(error) ?? ''
  return /^(?:cannot_parse_attachment|invalid_(?:blocks|attachments|arguments))/.test(code)
}

/** A link and its short URL as it was posted. */
type Card = Omit<RecordedLink, 'address' | 'name'>

/** How many characters are shown. */
const MAX_TITLE_LENGTH = 150
const MAX_DESCRIPTION_LENGTH = 300
const MAX_DESTINATION_LENGTH = 200

/** Characters of escaped text: the longest title, description and URL fit in one section. */
const MAX_ESCAPED_LENGTH = 1000

/**
 * The card of a link. Its maker chose the title, the description and the picture, which may promise
 * anything. The card therefore always shows where the link leads and who made it.
 *
 * @param card `shortUrl` as it was posted
 * @param imageUrl absent if Slack can't fetch it
 */
export function linkCardBlocks(card: Card, imageUrl?: string): KnownBlock[] {
  const { previewDescription: description, destinationUrl: destination, madeBy, madeAt } = card
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

function headline(card: Card): string {
  const { shortUrl } = card
  const label = isolate(oneLine(labelOf(card), MAX_TITLE_LENGTH))
  return escape(shortUrl).length <= MAX_ESCAPED_LENGTH ? `*${link(shortUrl, label)}*` : bold(label)
}

/** The title of its custom preview, or its own title, or the short URL if they have no visible character. */
function labelOf({ shortUrl, previewTitle, title }: Card): string {
  const isVisible = (text = ''): boolean => /[^\s\p{Cf}]/u.test(text)
  return [previewTitle, title].find(isVisible) ?? readableUrl(shortUrl)
}

function descriptionText(description: string): string {
  return isolate(escape(oneLine(description, MAX_DESCRIPTION_LENGTH), MAX_ESCAPED_LENGTH))
}

function image(imageUrl: string, card: Card): ImageBlock {
  const alt = `Preview image of ${labelOf(card)}`
  return { type: 'image', image_url: imageUrl, alt_text: oneLine(alt, LIMITS.altText) }
}

function oneLine(text: string, max: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), max)
}
