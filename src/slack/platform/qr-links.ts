import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { hexColor } from '../../contract/create-request.ts'
import { createQrImages } from '../../qr/qr-images.ts'
import type { Keyring } from '../../workspaces/keyring.ts'

/** What a QR image encodes, and in which color (`#RRGGBB`). */
export interface QrContent {
  text: string
  color: string
}

/** The context that QR contents are sealed with. */
const SEAL_CONTEXT = 'qr image'

const encodedContent = z.tuple([z.string(), hexColor])

/**
 * File names of QR images that only this app can make: the encrypted content of the image. The endpoint
 * therefore stores nothing, and draws nothing that the app did not ask for.
 */
export interface QrLinks {
  /** The image's file name, below `/qr/`. */
  fileName(content: QrContent): string
  /** The content of a file name; undefined if this app did not make it. */
  content(fileName: string): QrContent | undefined
}

export function createQrLinks(keyring: Keyring): QrLinks {
  return {
    fileName({ text, color }) {
      const sealed = keyring.seal(Buffer.from(JSON.stringify([text, color])), SEAL_CONTEXT)
      return `${sealed.toString('base64url')}.png`
    },
    content(fileName) {
      try {
        const sealed = Buffer.from(fileName.replace(/\.png$/, ''), 'base64url')
        const json = keyring.open(sealed, SEAL_CONTEXT).toString('utf8')
        const [text, color] = encodedContent.parse(JSON.parse(json))
        return { text, color }
      } catch {
        return undefined
      }
    },
  }
}

/** The URL of a QR image contains everything that the image shows, so the image never changes. */
const QR_CACHE = 'public, max-age=31536000, immutable'

/** `GET /qr/{file}`: the QR images in Slack messages, drawn from what their URL contains. */
export function qrImageRoutes(qrLinks: QrLinks): FastifyPluginAsync {
  const images = createQrImages()
  return async (scope) => {
    scope.get<{ Params: { file: string } }>('/qr/:file', async ({ params }, reply) => {
      const content = qrLinks.content(params.file)
      if (!content) return reply.callNotFound()
      const png = await images.draw('png', content.text, { color: content.color })
      if (!png) return reply.code(503).header('retry-after', 1).send()
      return reply.type('image/png').header('cache-control', QR_CACHE).send(png)
    })
  }
}
