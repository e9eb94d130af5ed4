import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { PREVIEW_IMAGES_PATH } from '../../contract/preview-image.ts'
import type { Pictures } from '../../picture/pictures.ts'
import { sendImage, sendPage } from '../../web/send-page.ts'
import type { OwnerTurns } from '../api/owner-turns.ts'
import type { Blocklist } from '../store/blocklist.ts'
import type { ServiceContext } from '../store/context.ts'
import { findPreviewImage } from '../store/preview-images.ts'
import { blockedPage, ENDED_CACHE_CONTROL, endedPage } from './pages.ts'

const FILE_NAME = /^([0-9a-f-]{36})\.(png|jpg|svg)$/
const CACHE_BYTES = 8_000_000

/** An SVG that can't be drawn isn't tried again for 10 minutes, because a hostile one takes five seconds each time. */
const RETRY_DRAWING_AFTER_MS = 10 * 60_000

/** Marks an SVG in the cache that can't be drawn. */
const NOT_DRAWABLE = new Uint8Array(0)

/**
 * Serves the images of preview cards. An SVG is also available as `.png`, because no program shows an SVG in a card.
 */
export async function previewImageRoutes(
  scope: FastifyInstance,
  parts: ServiceContext & { blocklist: Blocklist; inTurn: OwnerTurns; pictures: Pictures },
) {
  const { db, blocklist, now, inTurn, pictures } = parts
  const pngs = new LRUCache<string, Uint8Array, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png) => png.length + 1_000,
    async fetchMethod(_key, _earlier, { context: svg, options }) {
      const picture = await pictures.draw(svg)
      if (!picture) options.ttl = RETRY_DRAWING_AFTER_MS
      return picture?.bytes ?? NOT_DRAWABLE
    },
  })

  const path = `${PREVIEW_IMAGES_PATH}/:file`
  scope.get<{ Params: { file: string } }>(path, async (request, reply) => {
    const [, id = '', extension] = FILE_NAME.exec(request.params.file) ?? []
    const image = id ? await findPreviewImage(db, id) : undefined
    if (!image) return reply.callNotFound()
    const isBlocked = blocklist.blocks(new URL(image.destination_url).hostname)
    const ended = endedPage(image, now()) ?? (isBlocked ? blockedPage : undefined)
    if (ended) return sendPage(reply, 410, ended, ENDED_CACHE_CONTROL)
    const { bytes: context, mediaType, owner_id: ownerId, revision } = image
    if (mediaType !== 'image/svg+xml' || extension !== 'png') return sendImage(reply, image)
    const bytes = await inTurn(ownerId, () => pngs.fetch(`${id} ${revision}`, { context }))
    if (!bytes?.length) return reply.code(503).header('retry-after', 60).send()
    return sendImage(reply, { bytes, mediaType: 'image/png' })
  })
}
