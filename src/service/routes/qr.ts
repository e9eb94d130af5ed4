import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '../../database/database.ts'
import { qrPng } from '../../qr/png.ts'
import { qrSvg } from '../../qr/svg.ts'
import type { Addresses } from '../addresses.ts'
import { isBackHalf } from '../store/back-half.ts'
import { parseQrQuery } from '../qr-rules.ts'
import { findByShortUrl } from '../store/links.ts'

/** A link and its colour never change: an address always means the same picture. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

const FORMATS = {
  png: { type: 'image/png', draw: qrPng },
  svg: { type: 'image/svg+xml', draw: qrSvg },
} as const

/**
 * `GET /{back_half}/qr.png` and `.svg`: the QR code of a short URL, where its link has one, in the
 * link's colour unless another one is asked for.
 */
export function qrRoutes({
  database: { db },
  addresses,
}: {
  database: Database
  addresses: Addresses
}): FastifyPluginAsync {
  return async (scope) => {
    for (const [extension, { type, draw }] of Object.entries(FORMATS)) {
      scope.get<{ Params: { backHalf: string } }>(
        `/:backHalf/qr.${extension}`,
        async ({ hostname, params: { backHalf }, query }, reply) => {
          const hostnames = addresses.hostnamesOf(hostname)
          const link = isBackHalf(backHalf) && (await findByShortUrl(db, hostnames, backHalf))
          if (!link || link.qr_code_enabled !== 1) return reply.callNotFound()
          const { color = link.qr_code_color ?? undefined, size, margin } = parseQrQuery(query)
          const image = await draw(addresses.shortUrl(link), { color, size, margin })
          return reply.type(type).header('cache-control', CACHE_CONTROL).send(image)
        },
      )
    }
  }
}
