import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { hexColor } from '../../contract/link-requests.ts'
import { createQrImages } from '../../qr/qr-images.ts'
import type { Keyring } from '../../workspaces/keyring.ts'

/** Addresses of pictures, such as QR codes. A file name is the encrypted content, so the app stores no pictures. */
export interface PictureLinks<Content> {
  path: string
  fileName(content: Content): string
  content(fileName: string): Content | undefined
}

/** @param sealContext different for each kind of picture, so that a file name of one kind is invalid for another */
export function createPictureLinks<Content>(
  keyring: Keyring,
  path: string,
  sealContext: string,
  schema: z.ZodType<Content>,
): PictureLinks<Content> {
  return {
    path,

    fileName(content) {
      const json = JSON.stringify(schema.encode(content))
      return `${keyring.seal(Buffer.from(json), sealContext).toString('base64url')}.png`
    },

    content(fileName) {
      try {
        const sealed = Buffer.from(fileName.replace(/\.png$/, ''), 'base64url')
        return schema.parse(JSON.parse(keyring.open(sealed, sealContext).toString('utf8')))
      } catch {
        return undefined
      }
    },
  }
}

/** Pictures can be cached forever, because the URL contains everything that the picture shows. */
const CACHE = 'public, max-age=31536000, immutable'

/** @param draw returns undefined if the picture can't be drawn right now. The response is then 503 */
export function pictureRoutes<Content>(
  links: PictureLinks<Content>,
  draw: (content: Content) => Promise<Uint8Array | undefined>,
): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { file: string } }>(`${links.path}/:file`, async ({ params }, reply) => {
      const content = links.content(params.file)
      if (!content) return reply.callNotFound()
      const png = await draw(content)
      if (!png) return reply.code(503).header('retry-after', 1).send()
      return reply.type('image/png').header('cache-control', CACHE).send(png)
    })
  }
}

const qrContent = z.tuple([z.string(), hexColor])

export type QrLinks = PictureLinks<[text: string, color: string]>

export function createQrLinks(keyring: Keyring): QrLinks {
  return createPictureLinks(keyring, '/qr', 'qr image', qrContent)
}

export function qrImageRoutes(qrLinks: QrLinks): FastifyPluginAsync {
  const images = createQrImages()
  return pictureRoutes(qrLinks, ([text, color]) => images.draw('png', text, { color }))
}
