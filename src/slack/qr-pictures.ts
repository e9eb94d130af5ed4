import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import { qrPng } from '../qr/png.ts'
import { LIMITS } from './blocks/limits.ts'
import type { QrPicture } from './blocks/qr-image.ts'
import type { QrContent, QrLinks } from './qr-links.ts'

/** How long an answer waits for its picture's upload, in milliseconds. */
const UPLOAD_WITHIN_MS = 4_000

/** Makes QR images that Slack can show. */
export interface QrPictures {
  /**
   * A picture for a message: at an address of ours where the world can reach it, else uploaded
   * to Slack. Undefined where the upload failed; the reason is in the log.
   */
  picture(client: WebClient, content: QrContent): Promise<QrPicture | undefined>
}

export function createQrPictures({
  qrLinks,
  publicUrl,
  logger,
  uploadWithinMs = UPLOAD_WITHIN_MS,
}: {
  qrLinks: QrLinks
  /** Where the world reaches the app; Slack shows images by address from https only. */
  publicUrl: string | undefined
  logger: Logger
  uploadWithinMs?: number
}): QrPictures {
  if (publicUrl?.startsWith('https:')) {
    const base = publicUrl.replace(/\/$/, '')
    return {
      picture: (_client, content) => {
        const image_url = `${base}/qr/${qrLinks.fileName(content)}`
        // Only an absurdly long short URL comes near the limit.
        return Promise.resolve(image_url.length <= LIMITS.imageUrl ? { image_url } : undefined)
      },
    }
  }
  return {
    async picture(client, { text, color }) {
      try {
        const png = await qrPng(text, { color })
        const id = await Promise.race([upload(client, text, png), tooLate(uploadWithinMs)])
        return { slack_file: { id } }
      } catch (error) {
        logger.warn({ err: error }, 'a QR image could not be uploaded to Slack')
        return undefined
      }
    },
  }
}

/** The short URL must not wait for its picture: there is a button that brings it later. */
async function tooLate(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false })
  throw new Error(`the upload took longer than ${ms} ms`)
}

async function upload(client: WebClient, text: string, png: Buffer): Promise<string> {
  const { files } = await client.filesUploadV2({
    file: png,
    filename: 'qr.png',
    title: 'QR code',
    alt_text: `QR code that leads to ${text}`,
  })
  const id = files[0]?.files?.[0]?.id
  if (!id) throw new Error('Slack named no file after the upload')
  return id
}
