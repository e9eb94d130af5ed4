import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { PREVIEW_IMAGES_PATH } from '../../contract/preview-image.ts'
import type { Pictures } from '../../picture/pictures.ts'
import { html, linkDrawing, sendImage, sendPage } from '../../web/pages.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { OwnerTurns } from '../api/owner-turns.ts'
import type { Blocklist } from '../store/blocklist.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findLink } from '../store/links.ts'
import { findPreviewImage } from '../store/preview-images.ts'
import { blockedPage, ENDED_CACHE_CONTROL, endedPage, FRIENDLY_LAYOUT } from './pages.ts'

const FILE_NAME = /^([0-9a-f-]{36})\.(png|jpg|svg)$/
const CACHE_BYTES = 8_000_000

// An SVG that can't be drawn isn't tried again for 10 minutes, because a hostile one takes five seconds each time.
const RETRY_DRAWING_AFTER_MS = 10 * 60_000

const NOT_DRAWABLE = new Uint8Array(0)

/** An SVG is also available as `.png`, because no program shows an SVG in a card. */
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

/** Builds a page with Open Graph (https://ogp.me) and Twitter tags. Undefined if the link has no preview of its own. */
export async function previewCardPage({ db, addresses }: ServiceContext, linkId: string) {
  const link = await findLink(db, linkId)
  if (!link || link.deleted_at !== null) return undefined
  const { preview_title: ownTitle, preview_description: description } = link
  const { preview_image_type: type, preview_image_width, preview_image_height } = link
  if (ownTitle === null && description === null && type === null) return undefined
  const title = ownTitle ?? link.title ?? new URL(link.destination_url).hostname
  const destination = redirectUrl(link)
  // No program shows an SVG in a card, so the card has a PNG that is drawn from it, with another size.
  const isSvg = type === 'image/svg+xml'
  const shownType = isSvg ? 'image/png' : type
  const imageUrl = shownType === null ? null : addresses.previewImageUrl(link, shownType)
  // Some images don't contain their size, so it is 0.
  const hasSize = !isSvg && preview_image_width && preview_image_height
  const tags: [attribute: 'property' | 'name', name: string, content: string | number | null][] = [
    ['name', 'description', description],
    ['property', 'og:type', 'website'],
    ['property', 'og:url', addresses.shortUrl(link)],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:image', imageUrl],
    ['property', 'og:image:type', shownType],
    ['property', 'og:image:width', hasSize ? preview_image_width : null],
    ['property', 'og:image:height', hasSize ? preview_image_height : null],
    ['name', 'twitter:card', imageUrl === null ? 'summary' : 'summary_large_image'],
    ['name', 'twitter:title', title],
    ['name', 'twitter:description', description],
    ['name', 'twitter:image', imageUrl],
  ]
  return FRIENDLY_LAYOUT.render({
    title,
    head: tags
      .filter(([, , content]) => content !== null)
      .map(([attribute, name, content]) => html`<meta ...${{ [attribute]: name, content }} />`),
    content: [
      linkDrawing('joined'),
      html`<h1>${title}</h1>`,
      description !== null && html`<p>${description}</p>`,
      html`<p><a href=${destination}>${readableUrl(destination)}</a></p>`,
    ],
  })
}
