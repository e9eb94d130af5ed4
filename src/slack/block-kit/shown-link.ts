import type { Difference } from '../../port/differences.ts'
import type { ImageBlock, KnownBlock } from '@slack/types'
import { z } from 'zod'
import { type ListedLink, type LinkDetails, timeOf } from '../../port/links.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { utmOf, type UtmValues } from '../../workspaces/utm.ts'
import {
  context,
  isPicture,
  type MessageContent,
  type Picture,
  type PictureState,
} from './elements.ts'
import { LIMITS } from './limits.ts'
import {
  bold,
  cut,
  destinationLink,
  escape,
  link,
  moment,
  readableUrl,
  shortDay,
  shownHost,
} from './mrkdwn.ts'

export interface ShownLink {
  /** The link service's ID of it. Buttons of version 1.0.0 don't have it. */
  name?: string | undefined
  shortlink_url: string
  /** Absent if it isn't known where the link leads now. */
  destination_url?: string | undefined
  /** Where it led when the app last knew. Only the host is shown. */
  lastHost?: string | undefined
  title?: string | undefined
  /** The QR code's color, `#RRGGBB`; absent if the link has no QR code. */
  qrColor?: string | undefined
  /** Whether the link service has its QR code, too. Then everyone can see it if the service offers that. */
  hasPublicQr?: boolean | undefined
  is_custom_preview?: boolean | undefined
  /** What its custom preview shows, if it has one. */
  preview_title?: string | undefined
  preview_description?: string | undefined
  preview_image?: string | undefined
  /** For a new link: another one whose back-half differs only in case. */
  lookalike?: string | undefined
  /** For a new link: what the link service made differently. */
  differences?: readonly Difference[] | undefined
  /** Why it leads nowhere now. */
  state?: 'off' | 'expired' | undefined
  tags?: readonly string[] | undefined
  /** The UTM parameters that the user set, if they are known. */
  utm?: UtmValues
  /** When it expires, in milliseconds since 1970, if that is known. */
  expiresAt?: number
  /** For its menu. Absent if the user may not change it. `enabled`: false if it is turned off */
  changeable?: { name: string; enabled?: boolean | undefined } | undefined
}

/**
 * A link as messages show it.
 *
 * @param link `isUnchecked`: the link service didn't say that it is like this now
 * @param now milliseconds since 1970
 * @param color of its QR code, if the service doesn't say
 */
export function shownLinkOf(
  link: LinkDetails & { isUnchecked?: true },
  now: number,
  color = DEFAULT_COLOR,
): ShownLink {
  const { name, enabled, shortlink_url, title, is_custom_preview } = link
  const { preview_title, preview_description, preview_image } = link
  return {
    name,
    shortlink_url,
    ...(link.isUnchecked
      ? { lastHost: link.destination_url }
      : { destination_url: link.destination_url }),
    title,
    is_custom_preview,
    ...(is_custom_preview !== false && { preview_title, preview_description, preview_image }),
    state: stateOf(link, now),
    tags: link.tags,
    utm: utmOf(link),
    ...(link.qr_code_enabled && { qrColor: link.qr_code_color ?? color, hasPublicQr: true }),
    ...(link.expires_at !== undefined && { expiresAt: timeOf(link.expires_at) }),
    changeable: { name, enabled },
  }
}

/** Why a link leads nowhere now; undefined if it works. */
export function stateOf(
  { enabled, expires_at }: Pick<ListedLink, 'enabled' | 'expires_at'>,
  now: number,
): ShownLink['state'] {
  if (enabled === false) return 'off'
  return timeOf(expires_at) <= now ? 'expired' : undefined
}

/**
 * Whether a link is turned off, has expired, expires or leads to a dead destination, as a phrase; undefined if it simply works.
 *
 * @param now milliseconds since 1970
 */
export function linkState(
  link: Pick<ListedLink, 'enabled' | 'expires_at' | 'destination_status'>,
  now: number,
): string | undefined {
  const state = stateOf(link, now)
  if (state) return { off: ':no_entry_sign:\u00a0off', expired: ':hourglass:\u00a0expired' }[state]
  if (link.destination_status === 'dead') return ':warning:\u00a0destination doesn’t work'
  const end = timeOf(link.expires_at)
  return Number.isNaN(end) ? undefined : `expires ${shortDay(end, now)}`
}

/** When a link expires, as a phrase; nothing if it doesn't, has expired, or the time is unknown. */
export function expiryTexts({ expiresAt, state }: ShownLink): string[] {
  return expiresAt === undefined || state === 'expired' ? [] : [`expires ${moment(expiresAt)}`]
}

/** What a sentence about a link says after its short URL, and what to do. */
export const STATE_TEXTS = { off: 'is turned off', expired: 'has expired' } as const
export const STATE_STEPS = { off: 'Turn it on', expired: 'Change when it expires' } as const

/** Shown instead of a QR code without the scope `files:write`. */
export const QR_NOT_ALLOWED =
  'To show QR codes in Slack, Backhalf needs permission to upload files. An admin can grant it by installing the app again.'

export function qrImage(shortUrl: string, picture: Picture): ImageBlock {
  return {
    type: 'image',
    alt_text: cut(`QR code for ${shortUrl}`, LIMITS.altText),
    ...picture,
  }
}

/** The QR picture of a link, or why the app may not show it. */
export function qrBlocks(shortUrl: string, picture: PictureState): KnownBlock[] {
  if (picture === 'not_allowed') return [context(QR_NOT_ALLOWED)]
  return isPicture(picture) ? [qrImage(shortUrl, picture)] : []
}

/** Brings the QR picture of a link to a place in which Slack can't change the message with the link. */
export function qrMessage(shortUrl: string, picture: Picture): MessageContent {
  return {
    text: `QR code for ${escape(shortUrl)}`,
    blocks: [context(`QR code for ${bold(shortUrl)}`), qrImage(shortUrl, picture)],
  }
}

const MAX_TITLE_LENGTH = 200
const MAX_DESTINATION_LENGTH = 300

/** Leaves room in a section for a sentence below. A longer destination is shown without a link. */
const MAX_HEADLINE_LENGTH = 2900

const LEADS_TO = {
  off: ':no_entry_sign: is *turned off*. When it is on, it leads to',
  expired: ':hourglass: has *expired*. It led to',
}

/** The host that a link leads to, which a title can't disguise, as mrkdwn. None if it isn't known. */
export function leadsToHost({
  destination_url: destination,
  lastHost,
}: Pick<ShownLink, 'destination_url' | 'lastHost'>): string[] {
  if (destination !== undefined) return [`leads to ${shownHost(destination)}`]
  return lastHost ? [`leads to ${shownHost(lastHost)}, as last known`] : []
}

/** A link and its destination, as mrkdwn. */
export function headline(
  shown: Pick<ShownLink, 'shortlink_url' | 'destination_url' | 'lastHost' | 'title' | 'state'>,
): string {
  const { shortlink_url: shortUrl, destination_url: destination, title, state } = shown
  const lines = (leadsTo: readonly string[]): string =>
    [
      ...(title ? [bold(cut(title, MAX_TITLE_LENGTH))] : []),
      `:link: *${link(shortUrl, shortUrl)}*`,
      ...leadsTo,
    ].join('\n')
  if (destination === undefined) return lines(leadsToHost(shown))
  const verb = state ? LEADS_TO[state] : 'leads to'
  const linked = lines([`${verb} ${destinationLink(destination, MAX_DESTINATION_LENGTH)}`])
  if (linked.length <= MAX_HEADLINE_LENGTH) return linked
  return lines([`${verb} ${escape(readableUrl(destination, MAX_DESTINATION_LENGTH))}`])
}

/** How much of the title a button remembers. */
const MAX_KEPT_TITLE_LENGTH = 300

/**
 * Encodes a button's value: what finds the link again. Where it leads may change, so only the host is remembered, for
 * services that can't be asked about a single link.
 *
 * @returns undefined if the service's short URL leaves no room for it
 */
export function encodeLink({
  name = '',
  shortlink_url: shortUrl,
  destination_url: destination,
  lastHost = '',
  title = '',
  qrColor = '',
  hasPublicQr,
}: ShownLink): string | undefined {
  const host = URL.parse(destination ?? '')?.host ?? lastHost
  const kept = [shortUrl, host, cut(title, MAX_KEPT_TITLE_LENGTH), qrColor, name]
  const value = JSON.stringify(hasPublicQr ? [...kept, true] : kept)
  return value.length <= LIMITS.buttonValue ? value : undefined
}

/** Buttons of version 1.0.0 have a whole destination in the second place, and neither of the last two. */
const encodedLink = z
  .tuple([
    z.url({ protocol: /^https?$/ }),
    z.string(),
    z.string(),
    z.string(),
    z.string().default(''),
    z.boolean().default(false),
  ])
  .transform(([shortlink_url, host, title, qrColor, name, hasPublicQr]) => ({
    shortlink_url,
    ...(host && { lastHost: host }),
    ...(title && { title }),
    ...(qrColor && { qrColor }),
    ...(name && { name }),
    ...(hasPublicQr && { hasPublicQr }),
  }))

/** Decodes a button's value. @throws if this app did not encode it */
export function decodeLink(value: string | undefined): ShownLink {
  return encodedLink.parse(JSON.parse(value ?? ''))
}

/** A link that a button changes. */
const namedLink = z
  .tuple([z.string().min(1), z.url({ protocol: /^https?$/ }), z.string().optional()])
  .transform(([name, shortUrl, etag]) => ({ name, shortUrl, ...(etag !== undefined && { etag }) }))

/** Encodes the value of a button that changes a link, or only this revision of it; undefined if it is too long. */
export function encodeNamedLink({
  name,
  shortUrl,
  etag,
}: z.output<typeof namedLink>): string | undefined {
  const value = JSON.stringify([name, shortUrl, ...(etag === undefined ? [] : [etag])])
  return value.length <= LIMITS.buttonValue ? value : undefined
}

/** Decodes it. @throws if this app did not encode it */
export function decodeNamedLink(value: string): z.output<typeof namedLink> {
  return namedLink.parse(JSON.parse(value))
}
