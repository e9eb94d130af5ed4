import { imageSize } from 'image-size'
import { html, type HtmlPage } from '../../web/layout.ts'
import { linkDrawing } from '../../web/logo.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findLink, findPreviewImage } from '../store/links.ts'
import { FRIENDLY_LAYOUT } from './pages.ts'

/** The contents of a link's preview card. */
interface PreviewCard {
  title: string
  description: string | undefined
  /** With an absolute URL, its media type, and its size in pixels. */
  image: { url: string; type: string; width?: number; height?: number } | undefined
  shortUrl: string
  destination: string
}

/** Builds the page with a link's custom preview. Returns undefined if there is nothing to show. */
export async function previewCardPage(
  { db, addresses }: ServiceContext,
  linkId: string,
): Promise<HtmlPage | undefined> {
  const link = await findLink(db, linkId)
  if (!link) return undefined
  const { preview_title: title, preview_description: description } = link
  const image = await findPreviewImage(db, linkId)
  if (title === null && description === null && !image) return undefined
  return renderCard({
    title: title ?? link.title ?? new URL(link.destination_url).hostname,
    description: description ?? undefined,
    image: image && {
      url: addresses.previewImageUrl(linkId, image.mediaType),
      type: image.mediaType,
      ...sizeOf(image.bytes),
    },
    shortUrl: addresses.shortUrl(link),
    destination: redirectUrl(link),
  })
}

/** The size of an image in pixels; empty if the image does not contain it. */
function sizeOf(bytes: Uint8Array): { width?: number; height?: number } {
  try {
    const { width, height } = imageSize(bytes)
    return { width: Math.round(width), height: Math.round(height) }
  } catch {
    return {}
  }
}

/**
 * Renders a page for programs that show preview cards, with Open Graph (https://ogp.me) and Twitter
 * tags. It also shows the link, in case a person sees the page.
 */
function renderCard({ title, description, image, shortUrl, destination }: PreviewCard): HtmlPage {
  const tags: [
    attribute: 'property' | 'name',
    name: string,
    content: string | number | undefined,
  ][] = [
    ['name', 'description', description],
    ['property', 'og:type', 'website'],
    ['property', 'og:url', shortUrl],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:image', image?.url],
    ['property', 'og:image:type', image?.type],
    ['property', 'og:image:width', image?.width],
    ['property', 'og:image:height', image?.height],
    ['name', 'twitter:card', image ? 'summary_large_image' : 'summary'],
    ['name', 'twitter:title', title],
    ['name', 'twitter:description', description],
    ['name', 'twitter:image', image?.url],
  ]
  return FRIENDLY_LAYOUT.render({
    title,
    head: tags
      .filter(([, , content]) => content !== undefined)
      .map(([attribute, name, content]) => html`<meta ...${{ [attribute]: name, content }} />`),
    content: [
      linkDrawing('joined'),
      html`<h1>${title}</h1>`,
      description !== undefined && html`<p>${description}</p>`,
      html`<p><a href=${destination}>${readableUrl(destination)}</a></p>`,
    ],
  })
}
