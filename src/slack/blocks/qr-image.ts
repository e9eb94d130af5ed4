import type { ImageBlock } from '@slack/types'
import { cut, LIMITS } from './limits.ts'

/** A QR image that Slack can show: at an address of ours, or uploaded to Slack. */
export type QrPicture = { image_url: string } | { slack_file: { id: string } }

export function qrImage(shortUrl: string, picture: QrPicture): ImageBlock {
  return {
    type: 'image',
    alt_text: cut(`QR code that leads to ${shortUrl}`, LIMITS.altText),
    ...picture,
  }
}
