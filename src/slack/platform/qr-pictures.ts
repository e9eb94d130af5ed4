import { qrPng } from '../../qr/qr-code.ts'
import { createPictures, type PictureOptions, type Pictures } from './pictures.ts'
import type { QrContent, QrLinks } from './qr-links.ts'

/** Makes QR images that Slack can show. */
export type QrPictures = Pictures<QrContent>

export function createQrPictures({
  qrLinks,
  ...options
}: { qrLinks: QrLinks } & Pick<
  PictureOptions<QrContent>,
  'publicUrl' | 'clock' | 'logger'
>): QrPictures {
  return createPictures({
    ...options,
    links: qrLinks,
    path: '/qr',
    draw: async ({ text, color }) => ({
      file: await qrPng(text, { color }),
      filename: 'qr.png',
      title: 'QR code',
      alt_text: `QR code for ${text}`,
    }),
  })
}
