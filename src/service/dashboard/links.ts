import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { readableUrl } from '../../web/readable-url.ts'
import type { FoundLink } from '../store/link-list.ts'
import { isTooShort, MAX_MATCHES, MIN_SEARCH_LENGTH } from '../store/link-matches.ts'
import { type LinkPage, type LinkSort, searchLinks } from '../store/link-search.ts'
import { linkState } from '../store/links.ts'
import { needs, type DashboardContext, may, readQueue, type Viewer } from './access.ts'
import { bulkForm, linkBox, mayChange, SELECT_ALL_SCRIPT } from './bulk/chosen-links.ts'
import { EMPTY_FORM, formInputs } from './form.ts'
import { linkPagePath, qrDownloads, stateBadge, tagLinks, withoutScheme } from './link-elements.ts'
import { toLinkFilter, type LinksQuery, listPath, parseLinksQuery } from './list-query.ts'
import { listMenus } from './menus.ts'
import { copyButton, day, hourText, pager, sendDashboardPage, table } from './page.ts'

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
  dead: 'Dead destination',
  deleted: 'Deleted',
}

export async function linksRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { addresses, inTurn, now } = context

  function row(link: FoundLink, query: LinksQuery, viewer: Viewer): ComponentChildren[] {
    const shortUrl = addresses.shortUrl(link)
    const isDeleted = link.deleted_at !== null
    const isTitled = link.title !== null
    return [
      mayChange(viewer, link) && linkBox(link, shortUrl),
      [
        isTitled && html`<b class="name" dir="auto">${link.title}</b>`,
        html`<div class="address">
          <a class="url" href=${linkPagePath(link)}
            ><bdi dir="ltr">${withoutScheme(shortUrl)}</bdi></a
          >
          ${!isDeleted && copyButton(shortUrl, `Copy: ${withoutScheme(shortUrl)}`)}
          ${listedState(link, now())}
        </div>`,
        tagLinks(link, query),
      ],
      !isDeleted &&
        html`<a
          class=${isTitled ? 'long' : 'long name'}
          href=${link.destination_url}
          rel="noreferrer"
          >${readableUrl(link.destination_url, MAX_DESTINATION_LENGTH)}</a
        >`,
      !isDeleted &&
        html`<span class="count">
          ${formatNumber(link.people)}
          <span class="unit">${link.people === 1 ? ' click' : ' clicks'}</span>
        </span>`,
      day(link.created_at),
      viewer.kind === 'administrator'
        ? ownerLink(link, query)
        : link.person_id && html`<bdi>${link.person_name || link.person_id}</bdi>`,
      qrDownloads(link, shortUrl),
    ]
  }

  scope.get('/dashboard', needs('shortlinks:read'), async (request, reply) => {
    const { viewer } = request
    const query = parseLinksQuery(request.query)
    const { q: text, sort, state } = query
    const filter = toLinkFilter(query)
    const search = { reach: viewer.reach, text, filter, sort, page: query.page }
    const result =
      text !== '' && isTooShort(text)
        ? undefined
        : await inTurn(readQueue(viewer), () => searchLinks(context, search))
    const { links = [], page = 1, pages = 1 } = result ?? {}
    const isFiltered = text !== '' || activeFilters(query) > 0
    const isCurrent = state !== 'deleted'
    // A member's links all have the same owner, so its column would say nothing.
    const isAdministrator = viewer.kind === 'administrator'
    const canSelect = links.length > 0 && isCurrent && mayChange(viewer)
    const list =
      links.length > 0 &&
      table(
        'Links',
        [
          canSelect && 'Select',
          'Link',
          isCurrent && 'Destination',
          isCurrent && 'Clicks',
          'Created',
          isAdministrator ? 'Workspace' : 'Created by',
          isCurrent && 'QR code',
        ],
        links.map((link) => row(link, query, viewer)),
        'links',
      )
    const content = [
      searchForm(query, await listMenus(context, viewer, query), isAdministrator),
      html`<div class="found">
        <p class="lead" role="status">${summary(result, query, viewer)}</p>
        ${isFiltered && html`<a href="/dashboard">Show all links</a>`}
        ${
          links.length > 0 &&
          html`<a href=${listPath({ ...query, sort: 'newest' }, '/dashboard/links.csv')}>
            ${isFiltered ? 'Export these links' : 'Export'}
          </a>`
        }
      </div>`,
      canSelect && result ? bulkForm(list, viewer, query, result) : list,
      pager(listPath(query), page, page < pages, pages),
    ]
    const actions = [
      may(viewer, 'import') && html`<a href="/dashboard/import">Import</a>`,
      may(viewer, 'shortlinks:create') &&
        html`<a class="button" href="/dashboard/links/new">New link</a>`,
    ]
    const script = canSelect ? SELECT_ALL_SCRIPT : ''
    const copies = links.length > 0 && isCurrent
    return sendDashboardPage(reply, { title: 'Links', actions, content, copies, script })
  })
}

function searchForm(
  query: LinksQuery,
  { domains, owners }: Awaited<ReturnType<typeof listMenus>>,
  isAdministrator: boolean,
) {
  const { page: _, ...shown } = query
  const { field, menu } = formInputs(EMPTY_FORM, shown)
  const active = activeFilters(query)
  return html`<form method="get" action="/dashboard" class="filters" role="search">
    ${field('q', 'Search for', {
      type: 'search',
      maxlength: '200',
      placeholder: 'Title, destination or short URL',
    })}
    <details open=${active > 0 || query.sort !== 'newest'}>
      <summary>Filters${active > 0 && ` (${active} active)`}</summary>
      <div class="choices">
        ${menu('domain', 'Domain', [['', 'All domains'], ...domains])}
        ${isAdministrator && menu('owner', 'Workspace', [['', 'All workspaces'], ...owners])}
        ${menu('state', 'State', Object.entries(STATES))}
        ${field('tag', 'Tags', { placeholder: 'spring, print' })} ${menu('sort', 'Sort', SORTS)}
      </div>
    </details>
    <button class="plain">Search</button>
  </form>`
}

function activeFilters({ owner, domain, tag, state }: LinksQuery): number {
  return [owner, domain, tag, state !== 'current'].filter(Boolean).length
}

function summary(result: LinkPage | undefined, query: LinksQuery, viewer: Viewer) {
  const { q: text, sort } = query
  // Without a result, the text was too short for a search.
  if (!result) return `Type at least ${MIN_SEARCH_LENGTH} characters to search.`
  const { total, hasMore } = result
  const forText = text ? ` for “${text}”` : ''
  const shown = sort === 'oldest' ? 'oldest' : 'newest'
  if (hasMore && total === MAX_MATCHES) {
    return `More than ${formatNumber(total)} links${forText}. These are the ${shown}.`
  }
  if (hasMore) {
    return `At least ${formatCount(total, 'link')}${forText}. Only the ${shown} links were searched, because too many ${text ? 'look similar. Type more of the text.' : 'don’t fit the filters.'}`
  }
  if (total > 0) return `${formatCount(total, 'link')}${forText}`
  if (text) return `No links match “${text}”.`
  if (activeFilters(query) > 0) return 'No links match these filters.'
  if (viewer.kind === 'member') return 'No links yet. Create the first one here or in Slack.'
  return html`<span>
    No links yet. Create the first one here, in Slack, or with an${' '}
    <a href="/dashboard/keys">API key</a> as the <a href="/docs">documentation</a> describes.
  </span>`
}

const MAX_DESTINATION_LENGTH = 120

function listedState(link: FoundLink, now: number): ComponentChildren {
  const { expires_at: expiresAt } = link
  if (link.deleted_at !== null || linkState(link, now) !== 'active') return stateBadge(link, now)
  if (link.destination_status === 'dead') return html`<span class="state">Dead destination</span>`
  return (
    expiresAt !== null &&
    html`<span class="state"
      >Expires ${day(expiresAt)}<span class="hour">, ${hourText(expiresAt)}</span></span
    >`
  )
}

function ownerLink(link: FoundLink, query: LinksQuery) {
  if (query.owner !== undefined) return link.owner_name
  return html`<a href=${listPath({ ...query, owner: link.owner_id })} class="quiet"
    >${link.owner_name}</a
  >`
}
