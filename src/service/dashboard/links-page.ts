import type { ComponentChildren } from 'preact'
import type { Addresses } from '../addresses.ts'
import { grouped } from '../grouped.ts'
import { html } from '../pages/html.ts'
import type { FoundLink, LinkSort } from '../store/link-search.ts'
import { dashboardPage, day, select, table } from './layout.ts'

const SORTS: [LinkSort, string][] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['clicks', 'Most clicks first'],
  ['title', 'By title'],
]

export interface LinksPage {
  csrf: string
  addresses: Addresses
  links: readonly FoundLink[]
  total: number
  text: string
  sort: LinkSort
  page: number
  pages: number
}

/** All links, to be searched, sorted and paged through. */
export function linksPage({
  csrf,
  addresses,
  links,
  total,
  text,
  sort,
  page,
  pages,
}: LinksPage): string {
  return dashboardPage({
    section: '/dashboard',
    title: 'Links',
    csrf,
    content: [
      html`<form method="get" action="/dashboard" class="filters" role="search">
        <div class="field grow">
          <label for="q">Search</label>
          <input
            id="q"
            name="q"
            type="search"
            value=${text}
            maxlength="200"
            placeholder="Title, destination or short URL"
          />
        </div>
        ${select({ name: 'sort', label: 'Sort', value: sort, options: SORTS })}
        <button>Show</button>
      </form>`,
      html`<p class="lead" role="status">${found(total, text)}</p>`,
      links.length > 0 &&
        table(
          'Links',
          ['Short link', 'Leads to', 'Clicks', 'Made', 'Owner', 'QR code'],
          links.map((link) => row(link, addresses)),
        ),
      pages > 1 && pager({ text, sort, page, pages }),
    ],
  })
}

function found(total: number, text: string): ComponentChildren {
  const links = total === 1 ? '1 link' : `${grouped(total)} links`
  if (text) return total === 0 ? `No link holds “${text}”.` : `${links} with “${text}”`
  return total === 0
    ? html`<span>
        No links yet. Make the first one in Slack, or with an${' '}
        <a href="/dashboard/keys">API key</a>: its use is <a href="/docs">described</a>.
      </span>`
    : links
}

function row(link: FoundLink, addresses: Addresses): ComponentChildren[] {
  const shortUrl = addresses.shortUrl(link)
  return [
    html`<div>
      <a href=${`/dashboard/links/${link.id}`}>${shortUrl.replace(/^https?:\/\//, '')}</a>
      ${link.title !== null && html`<small><bdi>${link.title}</bdi></small>`}
    </div>`,
    html`<a class="long" href=${link.destination_url} rel="noreferrer">${link.destination_url}</a>`,
    grouped(link.people),
    day(link.created_at),
    link.owner_name,
    link.qr_code_enabled === 1 ? qrDownloads(link, shortUrl) : '–',
  ]
}

/** Links that save a QR code. */
export function qrDownloads(
  link: { id: string; back_half: string },
  shortUrl: string,
): ComponentChildren {
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

/** The dashboard's own: a short domain may be elsewhere, and `download` works on one origin only. */
export function qrPath(link: { id: string }, extension: 'png' | 'svg'): string {
  return `/dashboard/links/${link.id}/qr.${extension}`
}

function pager({
  text,
  sort,
  page,
  pages,
}: {
  text: string
  sort: LinkSort
  page: number
  pages: number
}): ComponentChildren {
  const to = (target: number): string =>
    `/dashboard?${new URLSearchParams({ ...(text && { q: text }), sort, page: String(target) }).toString()}`
  return html`<nav class="pager" aria-label="Pages">
    ${page > 1 && html`<a href=${to(page - 1)} rel="prev">Previous</a>`}
    <span>Page ${page} of ${grouped(pages)}</span>
    ${page < pages && html`<a href=${to(page + 1)} rel="next">Next</a>`}
  </nav>`
}
