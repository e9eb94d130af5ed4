import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { Addresses } from '../store/addresses.ts'
import { MAX_MATCHES, MIN_SEARCH_LENGTH } from '../store/link-matches.ts'
import type { FoundLink } from '../store/link-list.ts'
import type { LinkPage, LinkSort } from '../store/link-search.ts'
import { linkState } from '../store/links.ts'
import { namesOf } from '../store/tags.ts'
import { copyButton } from './copy.ts'
import { formInputs, type Options } from './form.ts'
import { listPath, type LinksQuery } from './list-query.ts'
import { day, hourText, pager, table, type DashboardPage } from './page.ts'
import { may, type Viewer } from './viewer.ts'

const SORTS: [LinkSort, string][] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['clicks', 'Most clicks first'],
  ['title', 'By title'],
]

const STATES: Record<LinksQuery['state'], string> = {
  current: 'Not deleted',
  active: 'Active',
  off: 'Turned off',
  expired: 'Expired',
  deleted: 'Deleted',
}

/** Several tags find the links that have all of them. */
const TAGS_INPUT = { placeholder: 'spring, print' }

/** All links that the viewer sees, with search, filters, sorting and pages. */
export function linksPage({
  addresses,
  found,
  query,
  menus,
  viewer,
  now,
}: {
  addresses: Addresses
  /** Undefined if the text is too short to search for. */
  found: LinkPage | undefined
  query: LinksQuery
  menus: Record<'owners' | 'domains', Options>
  viewer: Viewer
  now: number
}): DashboardPage {
  const { links = [], page = 1, pages = 1 } = found ?? {}
  const { q: text, owner = '', domain = '', tag, state, sort } = query
  const active = activeFilters(query)
  const { field, menu } = formInputs({ values: { domain, owner, tag, state, sort }, errors: {} })
  const ofAll = viewer.kind === 'administrator'
  // All links of a member have the same owner.
  const whose = ofAll ? 'Owner' : 'Made by'
  const whoseCell = (link: FoundLink) => (ofAll ? ownerLink(link, query) : makerName(link))
  return {
    title: 'Links',
    copies: links.length > 0 && state !== 'deleted',
    actions: [
      may(viewer, 'import') && html`<a href="/dashboard/import">Import</a>`,
      may(viewer, 'shortlinks:create') &&
        html`<a class="button" href="/dashboard/links/new">New link</a>`,
    ],
    content: [
      html`<form method="get" action="/dashboard" class="filters" role="search">
        <div class="field whole">
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
        <details open=${active > 0 || sort !== 'newest'}>
          <summary>Filters${active > 0 && ` (${active} active)`}</summary>
          <div class="choices">
            ${menu('domain', 'Domain', [['', 'All domains'], ...menus.domains])}
            ${ofAll && menu('owner', 'Owner', [['', 'All owners'], ...menus.owners])}
            ${menu('state', 'State', Object.entries(STATES))} ${field('tag', 'Tags', TAGS_INPUT)}
            ${menu('sort', 'Sort', SORTS)}
          </div>
        </details>
        <button class="plain">Search</button>
      </form>`,
      html`<div class="found">
        <p class="lead" role="status">${summary(found, query, viewer)}</p>
        ${isFiltered(query) && html`<a href="/dashboard">Show all links</a>`}
        ${
          links.length > 0 &&
          html`<a href=${listPath({ ...query, sort: 'newest' }, '/dashboard/links.csv')}>
            ${isFiltered(query) ? 'Export these links' : 'Export'}
          </a>`
        }
      </div>`,
      links.length > 0 &&
        (state === 'deleted'
          ? table(
              'Deleted links',
              ['Short link', 'Created', 'Deleted', whose],
              links.map((link) => [...deletedRow(link, addresses), whoseCell(link)]),
              'links',
            )
          : table(
              'Links',
              ['Link', 'Destination', 'Clicks', 'Created', whose, 'QR code'],
              links.map((link) => [
                ...row(link, addresses, query, now),
                whoseCell(link),
                qrDownloads(link, addresses.shortUrl(link)),
              ]),
              'links',
            )),
      pager(listPath(query), page, page < pages, pages),
    ],
  }
}

/** How many of the menus leave links out. */
function activeFilters({ owner, domain, tag, state }: LinksQuery): number {
  return [owner, domain, tag, state !== 'current'].filter(Boolean).length
}

function isFiltered(query: LinksQuery): boolean {
  return query.q !== '' || activeFilters(query) > 0
}

function summary(
  found: LinkPage | undefined,
  query: LinksQuery,
  viewer: Viewer,
): ComponentChildren {
  const { q: text, sort } = query
  if (!found) return `Type at least ${MIN_SEARCH_LENGTH} characters to search.`
  const { total, hasMore } = found
  const what = text ? ` for “${text}”` : ''
  const shown = sort === 'oldest' ? 'oldest' : 'newest'
  if (hasMore && total === MAX_MATCHES) {
    return `More than ${formatNumber(total)} links${what}. These are the ${shown}.`
  }
  if (hasMore) {
    return `At least ${formatCount(total, 'link')}${what}. Only the ${shown} links were searched, because too many ${text ? 'look similar. Type more of the text.' : 'don’t fit the filters.'}`
  }
  if (total > 0) return `${formatCount(total, 'link')}${what}`
  if (isFiltered(query)) return text ? `No links match “${text}”.` : 'No links match these filters.'
  if (viewer.kind === 'member') return 'No links yet. Create the first one here or in Slack.'
  return html`<span>
    No links yet. Create the first one here, in Slack, or with an${' '}
    <a href="/dashboard/keys">API key</a> as the <a href="/docs">documentation</a> describes.
  </span>`
}

/** How many characters of a destination a row shows. */
const MAX_DESTINATION_LENGTH = 120

function row(
  link: FoundLink,
  addresses: Addresses,
  query: LinksQuery,
  now: number,
): ComponentChildren[] {
  const shortUrl = addresses.shortUrl(link)
  const state = linkState(link, now)
  const isTitled = link.title !== null
  return [
    [
      isTitled && html`<b class="name" dir="auto">${link.title}</b>`,
      html`<div class="address">
        ${addressLink(link, shortUrl)} ${copyButton(shortUrl, `Copy: ${withoutScheme(shortUrl)}`)}
        ${state !== 'active' && html`<span class="state">${STATES[state]}</span>`}
        ${
          state === 'active' &&
          link.expires_at !== null &&
          html`<span class="state"
            >Expires ${day(link.expires_at)}<span class="hour"
              >, ${hourText(link.expires_at)}</span
            ></span
          >`
        }
      </div>`,
      tagLinks(link, query),
    ],
    html`<a class=${isTitled ? 'long' : 'long name'} href=${link.destination_url} rel="noreferrer"
      >${readableUrl(link.destination_url, MAX_DESTINATION_LENGTH)}</a
    >`,
    html`<span class="count">
      ${formatNumber(link.people)}
      <span class="unit">${link.people === 1 ? ' click' : ' clicks'}</span>
    </span>`,
    day(link.created_at),
  ]
}

/** The short URL, which leads to the page of the link. If there is no room for it, its end is shown. */
function addressLink({ id }: FoundLink, shortUrl: string): ComponentChildren {
  return html`<a class="url" href=${`/dashboard/links/${id}`}
    ><bdi dir="ltr">${withoutScheme(shortUrl)}</bdi></a
  >`
}

/** A deleted link only has its short URL, which is never given to another link. */
function deletedRow(link: FoundLink, addresses: Addresses): ComponentChildren[] {
  return [
    addressLink(link, addresses.shortUrl(link)),
    day(link.created_at),
    html`<span class="count">
      <span class="unit">${'Deleted '}</span>
      ${link.deleted_at === null ? '–' : day(link.deleted_at)}
    </span>`,
  ]
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

/** Narrows the list to an owner. There may be more owners than the menu has. */
function ownerLink(link: FoundLink, query: LinksQuery): ComponentChildren {
  if (query.owner !== undefined) return link.owner_name
  return html`<a href=${listPath({ ...query, owner: link.owner_id })} class="quiet"
    >${link.owner_name}</a
  >`
}

/** The tags of a link. Each leads to the links that have it, within a list. */
export function tagLinks({ tags }: Pick<FoundLink, 'tags'>, query?: LinksQuery): ComponentChildren {
  if (tags === null) return null
  return html`<div class="tags">
    ${namesOf(tags).map((tag) => html`<a href=${listPath({ ...query, tag })}><bdi>${tag}</bdi></a>`)}
  </div>`
}

function makerName({ person_id: id, person_name: name }: FoundLink): ComponentChildren {
  return id !== null && html`<bdi>${name || id}</bdi>`
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
