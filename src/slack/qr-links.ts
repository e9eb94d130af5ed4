import { z } from 'zod'
import { hexColor } from '../contract/create-request.ts'
import type { Keyring } from '../workspaces/keyring.ts'

/** What a QR image shows. */
export interface QrContent {
  text: string
  /** `#RRGGBB` */
  color: string
}

const encoded = z.tuple([z.string(), hexColor])
const PURPOSE = 'qr image'

/**
 * Addresses of QR images that only we can make: the image's content, sealed, in the path. So the
 * endpoint keeps nothing, and draws nothing that we did not ask for.
 */
export interface QrLinks {
  /** The file name of the image, for below `/qr/`. */
  fileName(content: QrContent): string
  /** The content of a file name; undefined where it isn't one of ours. */
  content(fileName: string): QrContent | undefined
}

export function createQrLinks(keyring: Keyring): QrLinks {
  return {
    fileName({ text, color }) {
      const sealed = keyring.seal(Buffer.from(JSON.stringify([text, color])), PURPOSE)
      return `${sealed.toString('base64url')}.png`
    },
    content(fileName) {
      try {
        const sealed = Buffer.from(fileName.replace(/\.png$/, ''), 'base64url')
        const [text, color] = encoded.parse(
          JSON.parse(keyring.open(sealed, PURPOSE).toString('utf8')),
        )
        return { text, color }
      } catch {
        return undefined
      }
    },
  }
}
