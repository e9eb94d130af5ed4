import type { ImageBlock } from '@slack/types'
import { z } from 'zod'
import type { UtmParameter } from '../../contract/link-fields.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import { webUrl } from '../../web/readable-url.ts'
import { context, type MessageContent, type Picture } from './elements.ts'
import { LIMITS } from './limits.ts'
import { bold, cut, destinationLink, escape, link, readableUrl } from './mrkdwn.ts'

/** A link that a message or a modal shows: a new one, or one that existed before. */
export interface ShownLink {
  shortlink: Omit<Shortlink, 'name'>
  /** The UTM parameters that the user set; empty if they are not known. */
  utm: Partial<Record<UtmParameter, string>>
  /** The QR code's color, `#RRGGBB`; absent if the link has no QR code. */
  qrColor?: string
  /** When it expires, in milliseconds since 1970, if that is known. */
  expiresAt?: number
  /** For its menu. Absent if the user may not change it. `enabled`: false if it is turned off */
  changeable?: { name: string; enabled?: boolean | undefined }
}

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

/** A link and its destination, as mrkdwn. */
export function headline({
  shortUrl,
  destination,
  title,
}: Pick<LinkRef, 'shortUrl' | 'destination' | 'title'>): string {
  const lines = (leadsTo: string): string =>
    [
      ...(title ? [bold(cut(title, MAX_TITLE_LENGTH))] : []),
      `:link: *${link(shortUrl, shortUrl)}*`,
      `leads to ${leadsTo}`,
    ].join('\n')
  const linked = lines(destinationLink(destination, MAX_DESTINATION_LENGTH))
  if (linked.length <= MAX_HEADLINE_LENGTH) return linked
  return lines(escape(readableUrl(destination, MAX_DESTINATION_LENGTH)))
}

/** What a button remembers about a link, so that it can be shown without asking the service. */
export interface LinkRef {
  shortUrl: string
  /** Ends in an ellipsis if it was cut. */
  destination: string
  title?: string
  /** `#RRGGBB`; absent if the link has no QR code. */
  qrColor?: string
}

export function linkRefOf({
  shortlink: { shortlink_url: shortUrl, destination_url: destination, title },
  qrColor,
}: Pick<ShownLink, 'shortlink' | 'qrColor'>): LinkRef {
  return { shortUrl, destination, ...(title && { title }), ...(qrColor && { qrColor }) }
}

export function shownLinkOf({ shortUrl, destination, title, qrColor }: LinkRef): ShownLink {
  return {
    shortlink: {
      shortlink_url: shortUrl,
      destination_url: destination,
      ...(title && { title }),
    },
    utm: {},
    ...(qrColor && { qrColor }),
  }
}

/** How much of the destination and the title is kept if a button's value has no room for more. */
const SHORTENED = 300

/** Encodes a button's value; undefined if the service's short URL leaves no room for it. */
export function encodeLinkRef(ref: LinkRef): string | undefined {
  const shortened = {
    ...ref,
    destination: cut(withoutUser(ref.destination), SHORTENED),
    title: cut(ref.title ?? '', SHORTENED),
  }
  const values = [ref, shortened].map(({ shortUrl, destination, title, qrColor }) =>
    JSON.stringify([shortUrl, destination, title ?? '', qrColor ?? '']),
  )
  return values.find((value) => value.length <= LIMITS.buttonValue)
}

const encodedLinkRef = z.tuple([
  z.url({ protocol: /^https?$/ }),
  z.string(),
  z.string(),
  z.string(),
])

/** A user name could fill the whole room, and would then look like the host. */
function withoutUser(destination: string): string {
  const url = webUrl(destination)
  if (!url) return destination
  url.username = ''
  url.password = ''
  return url.href
}

/** Decodes a button's value. @throws if this app did not encode it */
export function decodeLinkRef(value: string | undefined): LinkRef {
  const [shortUrl, destination, title, qrColor] = encodedLinkRef.parse(JSON.parse(value ?? ''))
  return { shortUrl, destination, ...(title && { title }), ...(qrColor && { qrColor }) }
}
