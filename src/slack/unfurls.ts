import type { LinkUnfurls } from '@slack/types'
import type { Logger } from 'pino'
import type { MadeLinks, RememberedLink } from '../workspaces/made-links.ts'
import { LIMITS } from './blocks/limits.ts'
import { unfurlBlocks, type UnfurledLink } from './blocks/unfurl.ts'
import type { Caller } from './caller.ts'
import { isPublicHostname } from './public-hostname.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** So many cards below one message, so that the conversation can still be read. */
const MOST_CARDS = 5

/** So many of its URLs are looked up for that. */
const LOOKED_UP = 50

/**
 * Slack's codes where the message is gone, where an administrator wants no unfurls of this domain,
 * where the app was taken out of the workspace meanwhile, and where it lacks the scope links:write.
 */
const NOTHING_TO_DO = [
  'account_inactive',
  'cannot_find_channel',
  'cannot_find_message',
  'cannot_unfurl_message',
  'cannot_unfurl_url',
  'missing_scope',
  'token_revoked',
]

/** A message in which somebody posted links that Slack knows to be short ones. */
export interface Posted {
  channel: string
  ts: string
  urls: readonly string[]
}

/** Shows, below a posted message, where its short links lead. */
export interface Unfurls {
  /**
   * Hangs a card on the message for each of its links that the workspace made in Slack; of others
   * nothing is known here. A link that is written in several ways has one card. To do it again
   * changes nothing: Slack keeps one card a URL.
   *
   * @throws when Slack can't be reached, or says no for a reason that somebody should know
   */
  show(caller: Caller, posted: Posted): Promise<void>
}

export function createUnfurls({
  madeLinks,
  logger,
}: {
  madeLinks: MadeLinks
  logger: Logger
}): Unfurls {
  async function knownLinks(workspaceId: string, urls: readonly string[]): Promise<UnfurledLink[]> {
    const found = new Map<string, UnfurledLink>()
    for (const url of [...new Set(urls)].slice(0, LOOKED_UP)) {
      if (found.size === MOST_CARDS) break
      const link = await madeLinks.find(workspaceId, url)
      if (link && !found.has(link.address)) found.set(link.address, cardOf(url, link))
    }
    return [...found.values()]
  }

  async function attach({ client }: Caller, posted: Posted, links: UnfurledLink[]): Promise<void> {
    const { channel, ts } = posted
    await client.chat.unfurl({ channel, ts, unfurls: unfurlsOf(links) })
  }

  function giveUp(error: unknown, workspaceId: string): void {
    const code = slackErrorCode(error) ?? ''
    if (!NOTHING_TO_DO.includes(code)) throw error
    logger.debug({ workspaceId, code }, 'a posted link is not unfurled')
  }

  return {
    async show(caller, posted) {
      const { id } = caller.workspace
      const links = await knownLinks(id, posted.urls)
      if (links.length === 0) return
      try {
        await attach(caller, posted, links).catch(async (error: unknown) => {
          if (!mayBeAPicture(error) || links.every(({ imageUrl }) => !imageUrl)) throw error
          // Of all in a card, only a picture can be taken today and not tomorrow.
          const bare = links.map((link) => ({ ...link, imageUrl: undefined }))
          await attach(caller, posted, bare)
        })
      } catch (error) {
        giveUp(error, id)
      }
    },
  }
}

function cardOf(url: string, link: RememberedLink): UnfurledLink {
  const { title, previewTitle, previewDescription, previewImageUrl } = link
  return {
    shortUrl: url,
    destination: link.destinationUrl,
    // A service may answer a preview's title that nobody gave as an empty one.
    title: [previewTitle, title].find((one) => one?.trim()),
    description: previewDescription,
    imageUrl: previewImageUrl && canSlackShow(previewImageUrl) ? previewImageUrl : undefined,
    madeBy: link.madeBy,
    madeAt: link.madeAt,
  }
}

/** Slack fetches pictures from the internet, over https, and draws no SVG. */
function canSlackShow(imageUrl: string): boolean {
  const url = URL.parse(imageUrl)
  return (
    url?.protocol === 'https:' &&
    isPublicHostname(url.hostname) &&
    !/\.svg$/i.test(url.pathname) &&
    imageUrl.length <= LIMITS.imageUrl
  )
}

function unfurlsOf(links: readonly UnfurledLink[]): LinkUnfurls {
  return Object.fromEntries(links.map((link) => [link.shortUrl, { blocks: unfurlBlocks(link) }]))
}

/** Slack's words for content that it does not take, a picture that it could not fetch among it. */
function mayBeAPicture(error: unknown): boolean {
  const code = slackErrorCode(error) ?? ''
  return /^(?:cannot_parse_attachment|invalid_(?:blocks|attachments|arguments))/.test(code)
}
