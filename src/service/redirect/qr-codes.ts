import type { FastifyInstance } from 'fastify'
import { qrQuery } from '../../contract/qr-picture.ts'
import { createQrImages } from '../../qr/qr-code.ts'
import { sendPage } from '../../web/pages.ts'
import { parseQuery } from '../api/errors.ts'
import { isBackHalf } from '../store/back-half.ts'
import type { ServiceContext } from '../store/context.ts'
import { findByShortUrl } from '../store/links.ts'
import { deletedPage } from './pages.ts'

// Makes browsers revalidate the image each time, because a link's color can change.
const CACHE_CONTROL = 'public, no-cache'

const MEDIA_TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const

/** Serves QR codes at `/abc/qr.png` and `/abc/qr.svg`, also of links that are off or expired, but might work again. */
export async function qrCodeRoutes(scope: FastifyInstance, { db, addresses }: ServiceContext) {
  const images = createQrImages()
  for (const format of ['png', 'svg'] as const) {
    scope.get<{ Params: { backHalf: string } }>(
      `/:backHalf/qr.${format}`,
      async ({ hostname, params: { backHalf }, query }, reply) => {
        const hostnames = addresses.hostnamesFor(hostname)
        const link = isBackHalf(backHalf) && (await findByShortUrl(db, hostnames, backHalf))
        if (link && link.deleted_at !== null) return sendPage(reply, 410, deletedPage, 'no-store')
        if (!link || link.qr_code_enabled !== 1) return reply.callNotFound()
        const requested = parseQuery(qrQuery, query, qrQuery.shape)
        const style = { color: link.qr_code_color ?? undefined, ...requested }
        const image = await images.draw(format, addresses.shortUrl(link), style)
        // Too many codes were requested at once. The specification doesn't describe QR images, so 503 is our choice.
        if (!image) return reply.code(503).header('retry-after', 1).send()
        return reply.type(MEDIA_TYPES[format]).header('cache-control', CACHE_CONTROL).send(image)
      },
    )
  }
}
