import { html } from '../../web/layout.ts'
import { linkDrawing } from '../../web/logo.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findLink } from '../store/links.ts'
import { FRIENDLY_LAYOUT } from './pages.ts'

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
