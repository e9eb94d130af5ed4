import { z } from 'zod'
import { type Difference, type ListedLink, type LinkDetails, timeOf } from '../../port/links.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { filledUtm, type UtmValues } from '../../workspaces/utm.ts'
import { LIMITS, present } from './elements.ts'
import { bold, cut, destinationLink, link, moment, shortDay, shownHost } from './mrkdwn.ts'

/** What the app doesn't know about a link is absent, even the name of a link in a button of version 1.0.0. */
export interface ShownLink extends Partial<LinkDetails> {
  shortlink_url: string
  lastKnownDestination?: string | undefined // or its host, if the current destination isn't known
  qrColor?: string | undefined
  hasPublicQr?: boolean | undefined // The link service draws the QR code, too. Only some have a `qrPath`.
  lookalike?: string | undefined // the short URL of another link, whose back-half differs only in case
  differences?: readonly Difference[] | undefined
  state?: 'off' | 'expired' | undefined
  utm?: UtmValues
  isChangeable?: boolean
}

export function toShownLink(link: LinkDetails & { isUnchecked?: true }, now: number): ShownLink {
  const { isUnchecked, destination_url, ...rest } = link
  return {
    ...rest,
    ...(isUnchecked ? { lastKnownDestination: destination_url } : { destination_url }),
    ...(link.is_custom_preview === false && {
      preview_title: undefined,
      preview_description: undefined,
      preview_image: undefined,
    }),
    state: linkState(link, now),
    utm: filledUtm(link),
    ...(link.qr_code_enabled && {
      qrColor: link.qr_code_color ?? DEFAULT_COLOR,
      hasPublicQr: true,
    }),
    isChangeable: true,
  }
}

export function linkState(
  { enabled, expires_at }: Pick<ListedLink, 'enabled' | 'expires_at'>,
  now: number,
): ShownLink['state'] {
  if (enabled === false) return 'off'
  return timeOf(expires_at) <= now ? 'expired' : undefined
}

export function linkStateText(
  link: Pick<ListedLink, 'enabled' | 'expires_at' | 'destination_status'>,
  now: number,
): string | undefined {
  const state = linkState(link, now)
  if (state) return { off: ':no_entry_sign:\u00a0off', expired: ':hourglass:\u00a0expired' }[state]
  if (link.destination_status === 'dead') return ':warning:\u00a0destination doesn’t work'
  const expiresAt = timeOf(link.expires_at)
  return Number.isNaN(expiresAt) ? undefined : `expires ${shortDay(expiresAt, now)}`
}

export function expiryTexts({ expires_at, state }: ShownLink): string[] {
  const hasEnd = expires_at !== undefined && state !== 'expired'
  return hasEnd ? [`expires ${moment(timeOf(expires_at))}`] : []
}

export const STATE_TEXTS = { off: 'is turned off', expired: 'has expired' } as const
export const STATE_STEPS = { off: 'Turn it on', expired: 'Change when it expires' } as const

const MAX_TITLE_LENGTH = 200
const MAX_DESTINATION_LENGTH = 300

const STATE_AND_VERB = {
  off: ':no_entry_sign: is *turned off*. When it is on, it leads to',
  expired: ':hourglass: has *expired*. It led to',
}

/** Says `leads to example.com`, because a title can claim anything. Empty if the destination isn't known. */
export function leadsToHost({
  destination_url: destination,
  lastKnownDestination,
}: Pick<ShownLink, 'destination_url' | 'lastKnownDestination'>): string[] {
  if (destination !== undefined) return [`leads to ${shownHost(destination)}`]
  return lastKnownDestination ? [`leads to ${shownHost(lastKnownDestination)}, as last known`] : []
}

export function headline(shown: ShownLink): string {
  const { shortlink_url: shortUrl, destination_url: destination, title, state } = shown
  const verb = state ? STATE_AND_VERB[state] : 'leads to'
  const leadsTo =
    destination === undefined
      ? leadsToHost(shown)
      : [`${verb} ${destinationLink(destination, MAX_DESTINATION_LENGTH)}`]
  return present([
    title && bold(cut(title, MAX_TITLE_LENGTH)),
    `:link: *${link(shortUrl, shortUrl)}*`,
    ...leadsTo,
  ]).join('\n')
}

const MAX_ENCODED_TITLE_LENGTH = 300

/**
 * For services that can't show single links. Of the destination, only the host is encoded, because the rest is more
 * likely to change. Returns undefined if the short URL is too long for a button's value.
 */
export function encodeLink(link: ShownLink): string | undefined {
  const { name = '', shortlink_url: shortUrl, title = '', qrColor = '' } = link
  const host = URL.parse(link.destination_url ?? '')?.host ?? link.lastKnownDestination ?? ''
  const items = [shortUrl, host, cut(title, MAX_ENCODED_TITLE_LENGTH), qrColor, name]
  const value = JSON.stringify(link.hasPublicQr ? [...items, true] : items)
  return value.length <= LIMITS.buttonValue ? value : undefined
}

/** Buttons of version 1.0.0 have a whole destination as the second item, and lack the last two. */
const encodedLink = z.tuple([
  z.url({ protocol: /^https?$/ }),
  z.string(),
  z.string(),
  z.string(),
  z.string().default(''),
  z.boolean().default(false),
])

export function decodeLink(value = ''): ShownLink {
  const decoded = encodedLink.parse(JSON.parse(value))
  const [shortlink_url, lastKnownDestination, title, qrColor, name, hasPublicQr] = decoded
  return {
    shortlink_url,
    ...(lastKnownDestination && { lastKnownDestination }),
    ...(title && { title }),
    ...(qrColor && { qrColor }),
    ...(name && { name }),
    ...(hasPublicQr && { hasPublicQr }),
  }
}

const namedLink = z
  .tuple([z.string().min(1), z.url({ protocol: /^https?$/ }), z.string().optional()])
  .transform(([name, shortUrl, etag]) => ({ name, shortUrl, ...(etag !== undefined && { etag }) }))

/** Encodes what a change of a link needs. Returns undefined if it is too long for a button's value. */
export function encodeNamedLink(link: z.output<typeof namedLink>): string | undefined {
  const { name, shortUrl, etag } = link
  const value = JSON.stringify([name, shortUrl, ...(etag === undefined ? [] : [etag])])
  return value.length <= LIMITS.buttonValue ? value : undefined
}

export function decodeNamedLink(value: string): z.output<typeof namedLink> {
  return namedLink.parse(JSON.parse(value))
}
