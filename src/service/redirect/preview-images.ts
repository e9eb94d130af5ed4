import type { FastifyPluginAsync } from 'fastify'
import { sendImage, sendPage } from '../../web/send-page.ts'
import type { Blocklist } from '../store/blocklist.ts'
import type { ServiceContext } from '../store/context.ts'
import { findPreviewImage } from '../store/preview-images.ts'
import { blockedPage, ENDED_CACHE_CONTROL, endedPage } from './pages.ts'

const FILE = /^([0-9a-f-]{36})\.(?:png|jpg|svg)$/

/**
 * `GET /preview-images/{link}.{extension}`: the URL in a Shortlink's `preview_image`. It ends when the short URL does.
 */
export function previewImageRoutes({
  db,
  blocklist,
  now,
}: ServiceContext & { blocklist: Blocklist }): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { file: string } }>('/preview-images/:file', async (request, reply) => {
      const id = FILE.exec(request.params.file)?.[1]
      const image = id === undefined ? undefined : await findPreviewImage(db, id)
      if (!image) return reply.callNotFound()
      const isBlocked = blocklist.blocks(new URL(image.destination_url).hostname)
      const ended = endedPage(image, now()) ?? (isBlocked ? blockedPage : undefined)
      return ended ? sendPage(reply, 410, ended, ENDED_CACHE_CONTROL) : sendImage(reply, image)
    })
  }
}
