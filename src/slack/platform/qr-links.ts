import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { hexColor } from '../../contract/link-requests.ts'
import { createQrImages } from '../../qr/qr-images.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import { createPictureLinks, pictureRoutes, type PictureLinks } from './picture-links.ts'

/** What a QR image encodes, and in which color (`#RRGGBB`). */
export interface QrContent {
  text: string
  color: string
}

/** The file names of QR images, below `/qr/`. */
export type QrLinks = PictureLinks<QrContent>

export function createQrLinks(keyring: Keyring): QrLinks {
  return createPictureLinks(keyring, 'qr image', {
    encode: ({ text, color }) => [text, color],
    decoder: z.tuple([z.string(), hexColor]).transform(([text, color]) => ({ text, color })),
  })
}

/** `GET /qr/{file}`: the QR images in Slack messages. */
export function qrImageRoutes(qrLinks: QrLinks): FastifyPluginAsync {
  const images = createQrImages()
  return pictureRoutes('/qr', qrLinks, ({ text, color }) => images.draw('png', text, { color }))
}
