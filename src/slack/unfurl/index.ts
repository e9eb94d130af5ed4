import type { ImageBlock, KnownBlock, LinkUnfurls } from '@slack/types'
import { inParallel } from '../../timing/in-parallel.ts'
import { isSameShortUrl, type RecordedLink } from '../../workspaces/created-links.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { context } from '../block-kit/elements.ts'
import {
  MAX_ESCAPED_LENGTH,
  previewImages,
  previewSection,
  titleText,
} from '../block-kit/link-preview.ts'
import {
  bold,
  capitalized,
  day,
  escape,
  isolate,
  link,
  mention,
  readableUrl,
} from '../block-kit/mrkdwn.ts'
import { leadsToHost, toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import { EVENTS } from '../ids.ts'
import { readCurrent } from '../links/current-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Listeners } from '../platform/listeners.ts'
import { isRefusal, slackErrorCode } from '../platform/slack-errors.ts'

const MAX_CARDS = 5
const MAX_LOOKUPS = 50

/** Adds cards below a message: one for each link that was created in this workspace and that works. */
export function registerUnfurl(
  listeners: Listeners,
  { clock, linkService, logger, createdLinks, reachesLoopback }: LinkPlatform,
): void {
  async function findLinks(workspaceId: string, urls: readonly string[]): Promise<RecordedLink[]> {
    const found = new Map<string, RecordedLink>()
    for (const shortUrl of [...new Set(urls)].slice(0, MAX_LOOKUPS)) {
      if (found.size === MAX_CARDS) break
      const link = await createdLinks.find(workspaceId, shortUrl)
      if (link && !found.has(link.address))
        found.set(link.address, { ...link, shortlink_url: shortUrl })
    }
    return [...found.values()]
  }

  /** @returns no card if the link was deleted, is off or has expired */
  async function buildCards(workspace: Workspace, recorded: RecordedLink): Promise<Card[]> {
    const { address, name, shortlink_url: postedUrl, createdBy, created_at } = recorded
    const read = await readCurrent({ clock, linkService }, workspace, name)
    if (read === 'gone') return []
    const link = toShownLink(read ?? { ...recorded, isUnchecked: true }, clock.now())
    const isEarlier = !isSameShortUrl(`https://${address}`, link.shortlink_url)
    return link.state ? [] : [{ ...link, postedUrl, isEarlier, createdBy, created_at }]
  }

  listeners.event(EVENTS.linkShared, async ({ client, mayShowCards, workspace }, { event }) => {
    const { source, channel, message_ts: ts } = event
    // Cards appear only once the message is sent.
    if (source === 'composer' || !mayShowCards) return
    const urls = event.links.map(({ url }) => url)
    const links = await findLinks(workspace.id, urls)
    const cards = (await inParallel(links, MAX_CARDS, (link) => buildCards(workspace, link))).flat()
    if (cards.length === 0) return
    const pictures = cards.map((card) => previewImages(card, cardLabel(card), reachesLoopback))
    const attach = (withPictures: boolean) => {
      const shown = cards.map((card, index) => [
        card.postedUrl,
        { blocks: linkCardBlocks(card, withPictures ? pictures[index] : []) },
      ])
      const unfurls = Object.fromEntries(shown) as LinkUnfurls
      return client.chat.unfurl({ channel, ts, unfurls })
    }
    await attach(true)
      .catch((error: unknown) => {
        // A picture is the likely reason, so the cards are sent again without pictures.
        if (isContentRefused(error) && pictures.flat().length > 0) return attach(false)
        throw error
      })
      .catch((error: unknown) => {
        // The message was deleted, or an admin turned off unfurls, for example.
        if (!isRefusal(error) || isContentRefused(error)) throw error
        const code = slackErrorCode(error)
        logger.debug({ workspaceId: workspace.id, code }, 'a posted link got no card')
      })
  })
}

function isContentRefused(error: unknown): boolean {
  const code = slackErrorCode(error) ?? ''
  return /^(?:cannot_parse_attachment|invalid_(?:blocks|attachments|arguments))/.test(code)
}

interface Card extends ShownLink, Pick<RecordedLink, 'createdBy'> {
  created_at: string
  postedUrl: string
  isEarlier: boolean // True if the link's short URL has changed since the posted one was created.
}

const MAX_URL_LENGTH = 200

/** Always names the destination and the creator, who can choose a misleading title, description and picture. */
export function linkCardBlocks(card: Card, images: readonly ImageBlock[] = []): KnownBlock[] {
  const { createdBy, created_at } = card
  return [
    ...previewSection(headline(card), card),
    ...images,
    context(
      [
        ...leadsTo(card),
        `Shortened ${createdBy ? `by ${mention(createdBy)}  ·  ` : ''}${day(Date.parse(created_at))}`,
      ].join('\n'),
    ),
  ]
}

/**
 * Says where a link leads: “Leads to example.com/page”. If the posted short URL is an earlier one of the link, it says
 * where the current short URL leads, because it isn't known whether the earlier one still works.
 */
function leadsTo(card: Card): string[] {
  const { isEarlier, shortlink_url, destination_url } = card
  // The destination in our record might have changed, so only its host is shown.
  if (destination_url === undefined) return leadsToHost(card).map(capitalized)
  const shown = (url: string): string => isolate(escape(readableUrl(url, MAX_URL_LENGTH)))
  const destination = shown(destination_url)
  return isEarlier
    ? [`Its short link is now ${shown(shortlink_url)}, which leads to ${destination}`]
    : [`Leads to ${destination}`]
}

function headline(card: Card): string {
  const { postedUrl } = card
  const label = titleText(cardLabel(card))
  return escape(postedUrl).length <= MAX_ESCAPED_LENGTH
    ? `*${link(postedUrl, label)}*`
    : bold(label)
}

function cardLabel({ postedUrl, preview_title, title }: Card): string {
  const isVisible = (text = ''): boolean => /[^\s\p{Cf}]/u.test(text)
  return [preview_title, title].find(isVisible) ?? readableUrl(postedUrl)
}
