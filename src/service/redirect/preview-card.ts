import { html, type HtmlPage } from '../../web/layout.ts'
import { linkDrawing } from '../../web/logo.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { ServiceContext } from '../store/context.ts'
import { redirectUrl } from '../store/destination.ts'
import { findLink, type LinkRow } from '../store/links.ts'
import type { ImageSize } from '../store/preview-images.ts'
import { FRIENDLY_LAYOUT } from './pages.ts'

/** The contents of a link's preview card. */
interface PreviewCard {
  title: string
  description: string | undefined
  /**
   * With an absolute URL, its media type, and its size in pixels. The URL changes with the link, because programs
   * keep the image of a URL.
   */
  image: { url: string; type: string; width?: number; height?: number } | undefined
  shortUrl: string
  destination: string
}

/**
 * Builds the page with a link's custom preview. Returns undefined if there is nothing to show, as in a link that
 * another process has just deleted.
 */
export async function previewCardPage(
  { db, addresses }: ServiceContext,
  linkId: string,
): Promise<HtmlPage | undefined> {
  const link = await findLink(db, linkId)
  if (!link || link.deleted_at !== null) return undefined
  const { preview_title: title, preview_description: description, preview_image_type: type } = link
  if (title === null && description === null && type === null) return undefined
  return renderCard({
    title: title ?? link.title ?? new URL(link.destination_url).hostname,
    description: description ?? undefined,
    image:
      type === null
        ? undefined
        : { url: addresses.previewImageUrl(link, type), type, ...imageSizeOf(link) },
    shortUrl: addresses.shortUrl(link),
    destination: redirectUrl(link),
  })
}

/** Empty if the image does not contain its size. */
function imageSizeOf({
  preview_image_width: width,
  preview_image_height: height,
}: LinkRow): Partial<ImageSize> {
  return width !== null && height !== null && width > 0 ? { width, height } : {}
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
