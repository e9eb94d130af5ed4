import type { FastifyPluginAsync } from 'fastify'
import { addSecurityHeaders } from '../../web/send-page.ts'
import type { ServiceContext } from '../store/context.ts'
import { findPreviewImage } from '../store/preview-images.ts'

const FILE = /^([0-9a-f-]{36})\.(?:png|jpg|svg)$/

/** Makes browsers ask again each time, because an image can be replaced or removed. */
const CACHE_CONTROL = 'public, no-cache'

/** An SVG opened by itself is a document. It may use its own styles, but run and load nothing. */
const POLICY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'style-src': ["'unsafe-inline'"], sandbox: [] },
  },
  // Slack and other sites show these images.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
} as const

/** `GET /preview-images/{link}.{extension}`: the URL in a Shortlink's `preview_image`. */
export function previewImageRoutes({ db }: ServiceContext): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { file: string } }>('/preview-images/:file', async (request, reply) => {
      const id = FILE.exec(request.params.file)?.[1]
      const image = id === undefined ? undefined : await findPreviewImage(db, id)
      if (!image) return reply.callNotFound()
      addSecurityHeaders(reply, POLICY)
      return reply
        .type(image.mediaType)
        .header('cache-control', CACHE_CONTROL)
        .send(Buffer.from(image.bytes))
    })
  }
}
