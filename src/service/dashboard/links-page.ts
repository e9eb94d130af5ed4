import type { ComponentChildren } from 'preact'
import { html, type HtmlPage } from '../../web/layout.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { Addresses } from '../store/addresses.ts'
import {
  MAX_MATCHES,
  MIN_SEARCH_LENGTH,
  type FoundLink,
  type LinkPage,
  type LinkSort,
} from '../store/link-search.ts'
import { select } from './form.ts'
import { dashboardPage, day, pager, table } from './page.ts'

const SORTS: [LinkSort, string][] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['clicks', 'Most clicks first'],
  ['title', 'By title'],
]

/** All links, with search, sorting and pages. */
export function linksPage({
  csrf,
  addresses,
  found,
  text,
  sort,
}: {
  csrf: string
  addresses: Addresses
  /** Undefined if the text is too short to search for. */
  found: LinkPage | undefined
  text: string
  sort: LinkSort
}): HtmlPage {
  const { links = [], page = 1, pages = 1 } = found ?? {}
  return dashboardPage({
    section: '/dashboard',
    title: 'Links',
    csrf,
    content: [
      html`<form method="get" action="/dashboard" class="filters" role="search">
        <div class="field grow">
          <label for="q">Search for</label>
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
        <button>Search</button>
      </form>`,
      html`<p class="actions">
        <a class="button" href="/dashboard/links/new">New link</a>
        <a href="/dashboard/import">Import</a>
        ${links.length > 0 && html`<a href=${exportPath(text)}>Export${text && ' these links'}</a>`}
      </p>`,
      html`<p class="lead" role="status">${summary(found, text, sort)}</p>`,
      links.length > 0 &&
        table(
          'Links',
          ['Short link', 'Destination', 'Clicks', 'Created', 'Owner', 'QR code'],
          links.map((link) => row(link, addresses)),
        ),
      pages > 1 &&
        pager({
          page,
          pages,
          hasNext: page < pages,
          to: (target) =>
            `/dashboard?${new URLSearchParams({ ...(text && { q: text }), sort, page: String(target) }).toString()}`,
        }),
    ],
  })
}

function exportPath(text: string): string {
  return `/dashboard/links.csv${text && `?${new URLSearchParams({ q: text }).toString()}`}`
}

function summary(found: LinkPage | undefined, text: string, sort: LinkSort): ComponentChildren {
  if (!found) return `Type at least ${MIN_SEARCH_LENGTH} characters to search.`
  const { total, hasMore } = found
  if (text) {
    const shown = sort === 'oldest' ? 'oldest' : 'newest'
    if (hasMore && total === MAX_MATCHES) {
      return `More than ${formatNumber(total)} links for “${text}”. These are the ${shown}.`
    }
    if (hasMore) {
      return `At least ${formatCount(total, 'link')} for “${text}”. Only the ${shown} links were searched, because too many look similar. Type more of the text.`
    }
    return total === 0 ? `No links match “${text}”.` : `${formatCount(total, 'link')} for “${text}”`
  }
  if (total > 0) return formatCount(total, 'link')
  return html`<span>
    No links yet. Create the first one here, in Slack, or with an${' '}
    <a href="/dashboard/keys">API key</a> as the <a href="/docs">documentation</a> describes.
  </span>`
}

/** How many characters of a destination a row shows. */
const MAX_DESTINATION_LENGTH = 120

function row(link: FoundLink, addresses: Addresses): ComponentChildren[] {
  const shortUrl = addresses.shortUrl(link)
  return [
    html`<div>
      <a href=${`/dashboard/links/${link.id}`}>${shortUrl.replace(/^https?:\/\//, '')}</a>
      ${link.title !== null && html`<small><bdi>${link.title}</bdi></small>`}
    </div>`,
    html`<a class="long" href=${link.destination_url} rel="noreferrer"
      >${readableUrl(link.destination_url, MAX_DESTINATION_LENGTH)}</a
    >`,
    formatNumber(link.people),
    day(link.created_at),
    link.owner_name,
    qrDownloads(link, shortUrl),
  ]
}

/** Links that download a QR code. */
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

/** The dashboard's own path: `download` works on one origin only, and short domains may differ. */
export function qrPath(link: { id: string }, extension: 'png' | 'svg'): string {
  return `/dashboard/links/${link.id}/qr.${extension}`
}
