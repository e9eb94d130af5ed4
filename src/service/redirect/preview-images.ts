import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '../../database/database.ts'
import { findPreviewImage } from '../store/preview-images.ts'

const FILE = /^([0-9a-f-]{36})\.(?:png|jpg|svg)$/

/** A link's image never changes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** An SVG is a document: opened by itself it may style itself, but run and load nothing. */
const POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'style-src': ["'unsafe-inline'"], sandbox: [] },
  },
  // Other sites and Slack show these images.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
} as const

/** `GET /preview-images/{link}.{extension}`: what `preview_image` of a Shortlink names. */
export function previewImageRoutes({ db }: Database): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { file: string } }>(
      '/preview-images/:file',
      { helmet: POLICY },
      async (request, reply) => {
        const id = FILE.exec(request.params.file)?.[1]
        const image = id === undefined ? undefined : await findPreviewImage(db, id)
        if (!image) return reply.callNotFound()
        return reply
          .type(image.mediaType)
          .header('cache-control', CACHE_CONTROL)
          .send(Buffer.from(image.bytes))
      },
    )
  }
}
