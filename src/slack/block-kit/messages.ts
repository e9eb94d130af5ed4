import type { ImageBlock, KnownBlock } from '@slack/types'
import { isLoopbackHostname, isPublicHostname } from '../../http/public-hostname.ts'
import { LIMITS, section } from './elements.ts'
import { cut } from './mrkdwn.ts'

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
