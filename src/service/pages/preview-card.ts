import { html } from './html.ts'
import { page } from './page.ts'

/** What a link's card shows. */
export interface PreviewCard {
  title: string
  description: string | undefined
  /** By absolute URL, with its media type and its size in pixels. */
  image: { url: string; type: string; width?: number; height?: number } | undefined
  shortUrl: string
  destination: string
}

/**
 * A page for programs that draw link cards: Open Graph (https://ogp.me) and Twitter tags. Should a
 * person see it, the link is on it.
 */
export function previewCardPage(card: PreviewCard): string {
  const { title, description, image, shortUrl, destination } = card
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
  return page({
    title,
    drawing: 'whole',
    head: tags
      .filter(([, , content]) => content !== undefined)
      .map(([attribute, name, content]) => html`<meta ...${{ [attribute]: name, content }} />`),
    content: [
      html`<h1>${title}</h1>`,
      description !== undefined && html`<p>${description}</p>`,
      html`<p><a href=${destination}>${destination}</a></p>`,
    ],
  })
}
