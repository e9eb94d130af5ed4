import type { ImageBlock, KnownBlock } from '@slack/types'
import { isLoopbackHostname, isPublicHostname } from '../../http/public-hostname.ts'
import { context, LIMITS, section } from './elements.ts'
import { bold, cut, escape } from './mrkdwn.ts'

/** The conversation shows the `blocks`, and notifications and screen readers use the `text`. */
export interface MessageContent {
  text: string
  blocks: KnownBlock[]
}

export function textMessage(mrkdwn: string): MessageContent {
  return { text: mrkdwn, blocks: [section(mrkdwn)] }
}

export type Picture = { image_url: string } | { slack_file: { id: string } }

/**
 * The picture of a message. `follows`: the app will add it in a moment. `not_allowed`: the app isn't allowed to upload
 * files. Undefined: there is no picture, or Slack doesn't accept it right now.
 */
export type PictureState = Picture | 'follows' | 'not_allowed' | undefined

export function image(alt: string, picture: Picture): ImageBlock {
  return { type: 'image', alt_text: cut(alt, LIMITS.altText), ...picture }
}

export function isPicture(state: PictureState): state is Picture {
  return typeof state === 'object'
}

export function isLoadedBySlack(address: string, reachesLoopback: boolean): boolean {
  if (address.length > LIMITS.imageUrl) return false
  const { protocol, hostname = '' } = URL.parse(address) ?? {}
  const isPublic = protocol === 'https:' && isPublicHostname(hostname)
  return isPublic || (reachesLoopback && isLoopbackHostname(hostname))
}

export const QR_NOT_ALLOWED =
  'To show QR codes in Slack, Backhalf needs permission to upload files. An admin can grant it by installing the app again.'

export function qrImage(shortUrl: string, picture: Picture): ImageBlock {
  return image(`QR code for ${shortUrl}`, picture)
}

export function qrBlocks(shortUrl: string, picture: PictureState): KnownBlock[] {
  if (picture === 'not_allowed') return [context(QR_NOT_ALLOWED)]
  return isPicture(picture) ? [qrImage(shortUrl, picture)] : []
}

/** A second message, for a link's message to which Slack can't add the picture. */
export function qrMessage(shortUrl: string, picture: Picture): MessageContent {
  return {
    text: `QR code for ${escape(shortUrl)}`,
    blocks: [context(`QR code for ${bold(shortUrl)}`), qrImage(shortUrl, picture)],
  }
}
