import type { KnownBlock } from '@slack/types'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { formatCount } from '../../web/numbers.ts'
import { effectiveUtm } from '../../workspaces/utm.ts'
import { context, section } from '../block-kit/elements.ts'
import { UTM_NAMES } from '../block-kit/fields.ts'
import { linkBlockId, linkMenu } from '../block-kit/link-menu.ts'
import {
  ago,
  cutMiddle,
  escape,
  isolate,
  link,
  mention,
  readableUrl,
  shownHost,
} from '../block-kit/mrkdwn.ts'
import { noticeBlock, type Notice } from '../block-kit/notices.ts'
import { linkStateText } from '../block-kit/shown-link.ts'
import { PER_PAGE, type ListLink, type ListPage } from '../links/link-lists.ts'
import type { DrawnRights } from '../links/links.ts'

// How many characters of a link's texts its row shows, and whether the row is one block or two.
const USUAL = { title: 100, url: 60, value: 40, isOneBlock: false }

/**
 * For link services that return so many links per page that longer texts, or two blocks for each row, would exceed
 * Slack's limits for a view. Short URLs have no label in these rows, because labels count toward the limits, too.
 */
const CROWDED = { title: 40, url: 40, value: 20, isOneBlock: true }

const MAX_LINKED_LENGTH = 200

const MAX_SHOWN_TAGS = 3

const MAX_NAME_LENGTH = 40

export interface DrawnPage extends ListPage {
  rights: DrawnRights
  now: number
  notice?: Notice | undefined
}

/** Builds a row for each link of a page. If two links would look the same, their rows also say how they differ. */
export function linkRows(list: DrawnPage): KnownBlock[] {
  const { links, position, now, notice, rights } = list
  const style = links.length > PER_PAGE ? CROWDED : USUAL
  const texts = links.map((item) => ({ item, ...rowTexts(item, style) }))
  return texts.flatMap(({ item, heading, tags, campaign, details }, index): KnownBlock[] => {
    const twins = texts.filter((row) => row.heading === heading && row.campaign === campaign)
    const differences = details.filter((detail, at) =>
      twins.some((twin) => twin.details[at] !== detail),
    )
    const lines = [`*${heading}*`, joined(figures(item, style, now, heading))]
    const creator = style.isOneBlock ? undefined : creatorText(item, rights)
    const smallPrint = joined([
      item.isUnchecked && 'as last known',
      tags,
      campaign,
      ...differences,
      creator && `by ${creator}`,
      item.created_at && ago(item.created_at),
    ])
    const mayChange = rights.changeable.has(item.shortlink_url)
    const menu = linkMenu(item, { capabilities: rights.capabilities, mayChange })
    const [accessory] = item.deleted ? [] : menu
    const text = style.isOneBlock ? [...lines, smallPrint] : lines
    return [
      section(text.join('\n').trimEnd(), accessory, linkBlockId(position, index)),
      ...(style.isOneBlock || smallPrint === '' ? [] : [context(smallPrint)]),
      ...(item.name === notice?.name ? noticeBlocks(list) : []),
    ]
  })
}

export function noticeBlocks({ notice, links, position }: DrawnPage): KnownBlock[] {
  return notice ? [noticeBlock(notice, linkBlockId(position, links.length))] : []
}

/** Mentions the creator if the app knows their Slack ID. Otherwise, the link service might know their name. */
function creatorText(link: ListLink, { creators }: DrawnRights): string | undefined {
  const userId = creators.get(link.shortlink_url)
  if (userId !== undefined) return mention(userId)
  const name = link.created_by?.name
  return name && isolate(escape(name, MAX_NAME_LENGTH))
}

function rowTexts(item: ListLink, max: typeof USUAL) {
  const shown = (text: string | undefined, length = max.value): string =>
    text?.trim() ? isolate(escape(cutMiddle(text.trim().replace(/\s+/g, ' '), length))) : ''
  const utm = effectiveUtm(item)
  const title = shown(item.title, max.title)
  const destination = escape(readableUrl(item.destination_url, max.url))
  const preview = shown(item.preview_title)
  const tags = item.tags ?? []
  const more = tags.length > MAX_SHOWN_TAGS ? ` +${tags.length - MAX_SHOWN_TAGS}` : ''
  return {
    heading: title || destination,
    tags:
      tags
        .slice(0, MAX_SHOWN_TAGS)
        .map((name) => `#${shown(name)}`)
        .join(' ') + more,
    campaign: joined([shown(utm.utm_campaign), shown(utm.utm_source)]),
    // What tells links with the same heading apart. The order is the same for each link, so that they can be compared.
    details: [
      ...UTM_PARAMETERS.map((name) => utm[name] && `${UTM_NAMES[name]} ${shown(utm[name])}`),
      preview && `preview “${preview}”`,
      title && destination,
    ],
  }
}

function figures(item: ListLink, style: typeof USUAL, now: number, heading: string) {
  const { shortlink_url: url, clicks } = item
  const shortUrl = readableUrl(url, style.url)
  const label = style.isOneBlock ? undefined : shortUrl
  const host = shownHost(item.destination_url)
  // The heading can be a destination whose long host is cut.
  const arrow = heading.startsWith(host) ? '' : `\u00a0→ ${host}`
  return [
    (url.length > MAX_LINKED_LENGTH ? escape(shortUrl) : link(url, label)) + arrow,
    clicks === undefined ? undefined : formatCount(clicks, 'click').replace(' ', '\u00a0'),
    item.deleted ? 'deleted' : item.isUnchecked ? undefined : linkStateText(item, now),
  ]
}

/** Joins texts with dots so that, on a narrow screen, a line breaks after a dot and not before it. */
function joined(texts: readonly (string | false | undefined)[]): string {
  return texts.filter(Boolean).join('\u00a0\u00a0·  ')
}
