import type { ImageBlock } from '@slack/types'
import { z } from 'zod'
import { webUrl } from '../../web/readable-url.ts'
import type { UtmValues } from '../../workspaces/utm.ts'
import { context, type MessageContent, type Picture } from './elements.ts'
import { LIMITS } from './limits.ts'
import { bold, cut, destinationLink, escape, link, readableUrl } from './mrkdwn.ts'

/** A link that a message or a modal shows. A button remembers the first four, to show it without asking the service. */
export interface ShownLink {
  shortlink_url: string
  /** Ends in an ellipsis if a button had no room for it. */
  destination_url: string
  title?: string | undefined
  /** The QR code's color, `#RRGGBB`; absent if the link has no QR code. */
  qrColor?: string | undefined
  is_custom_preview?: boolean | undefined
  /** The UTM parameters that the user set, if they are known. */
  utm?: UtmValues
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
  shortlink_url: shortUrl,
  destination_url: destination,
  title,
}: Pick<ShownLink, 'shortlink_url' | 'destination_url' | 'title'>): string {
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

/** How much of the destination and the title is kept if a button's value has no room for more. */
const SHORTENED = 300

/** Encodes a button's value; undefined if the service's short URL leaves no room for it. */
export function encodeLink({
  shortlink_url: shortUrl,
  destination_url: destination,
  title = '',
  qrColor = '',
}: ShownLink): string | undefined {
  return [
    [shortUrl, destination, title, qrColor],
    [shortUrl, cut(withoutUser(destination), SHORTENED), cut(title, SHORTENED), qrColor],
  ]
    .map((parts) => JSON.stringify(parts))
    .find((value) => value.length <= LIMITS.buttonValue)
}

/** A user name could fill the whole room, and would then look like the host. */
function withoutUser(destination: string): string {
  const url = webUrl(destination)
  if (!url) return destination
  url.username = ''
  url.password = ''
  return url.href
}

const encodedLink = z
  .tuple([z.url({ protocol: /^https?$/ }), z.string(), z.string(), z.string()])
  .transform(([shortlink_url, destination_url, title, qrColor]) => ({
    shortlink_url,
    destination_url,
    ...(title && { title }),
    ...(qrColor && { qrColor }),
  }))

/** Decodes a button's value. @throws if this app did not encode it */
export function decodeLink(value: string | undefined): ShownLink {
  return encodedLink.parse(JSON.parse(value ?? ''))
}
