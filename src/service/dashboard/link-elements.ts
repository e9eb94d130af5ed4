import { html } from '../../web/pages.ts'
import { type LinkRow, linkState } from '../store/links.ts'
import { listPath, type LinksQuery } from './list-query.ts'
import { day } from './page.ts'

export const linkPagePath = ({ id }: Pick<LinkRow, 'id'>): string => `/dashboard/links/${id}`

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

const STATES = { active: 'Active', off: 'Turned off', expired: 'Expired' }

export function stateBadge(link: LinkRow, now: number) {
  const { deleted_at: deletedAt } = link
  const state = linkState(link, now)
  return deletedAt === null
    ? html`<span class=${`state ${state}`}>${STATES[state]}</span>`
    : html`<span class="state">Deleted ${day(deletedAt)}</span>`
}

export function tagLinks({ tags }: LinkRow, query?: LinksQuery) {
  if (tags === null) return null
  return html`<div class="tags">
    ${tags.split(',').map((tag) => html`<a href=${listPath({ ...query, tag })}><bdi>${tag}</bdi></a>`)}
  </div>`
}

export function qrDownloads(link: LinkRow, shortUrl: string) {
  return html`<span class="nowrap">
    ${(['png', 'svg'] as const).map((extension) => [
      html`<a
        href=${qrPath(link, extension)}
        download=${`${link.back_half}.${extension}`}
        aria-label=${`${extension.toUpperCase()}: QR code of ${shortUrl}`}
        >${extension.toUpperCase()}</a
      >`,
      ' ',
    ])}
  </span>`
}

/** Returns a path of the dashboard, because `download` works only on the page's own origin. */
export function qrPath(link: LinkRow, extension: 'png' | 'svg'): string {
  return `${linkPagePath(link)}/qr.${extension}`
}

export function previewImagePath(link: LinkRow): string | undefined {
  // Unlike the image's public URL, this path works even if the link is turned off.
  return link.preview_image_type === null ? undefined : `${linkPagePath(link)}/preview-image`
}
