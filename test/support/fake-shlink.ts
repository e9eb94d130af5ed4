import { startFakeLinkService, type Answer, type ReceivedRequest } from './fake-link-service.ts'

interface StoredLink {
  shortCode: string
  longUrl: string
  title: string | null
  tags: string[]
  validUntil: string | null
  dateCreated: string
  visits: { referer: string; date: string; userAgent: string; potentialBot: boolean }[]
}

const PAGE = { page: '1', itemsPerPage: '10', orderBy: 'dateCreated-DESC' }

/** Slugs as in its default mode: spaces and slashes become dashes. Tags as in its code. */
const slugOf = (text: string): string => text.trim().replaceAll(/[\s/]+/g, '-')
const tagOf = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, '-')

/** A server that answers as Shlink 5 does, according to its OpenAPI document and its code (June 2026). */
export function createFakeShlink() {
  const apiKey = 'shlink-key'
  const links: StoredLink[] = []
  let base = ''
  let codes = 0

  const shown = ({ visits, validUntil, ...link }: StoredLink) => {
    const bots = visits.filter(({ potentialBot }) => potentialBot).length
    return {
      ...link,
      shortUrl: `${base}/${link.shortCode}`,
      visitsSummary: { total: visits.length, nonBots: visits.length - bots, bots },
      meta: { validSince: null, validUntil, maxVisits: null },
      domain: null,
      crawlable: false,
      forwardQuery: true,
      hasRedirectRules: false,
    }
  }
  const problem = (status: number, code: string, more: object = {}): Answer => ({
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      status,
      type: `https://shlink.io/api/error/${code}`,
      title: code,
      detail: code,
      ...more,
    },
  })
  const ok = (body: unknown): Answer => ({ status: 200, body })
  const paged = (data: unknown[], page: number, itemsPerPage: number) => ({
    data: data.slice((page - 1) * itemsPerPage, page * itemsPerPage),
    pagination: {
      currentPage: page,
      pagesCount: Math.ceil(data.length / itemsPerPage),
      itemsPerPage,
      totalItems: data.length,
    },
  })

  function create(fields: Record<string, unknown>): Answer {
    const longUrl = String(fields['longUrl'])
    if (!URL.canParse(longUrl))
      return problem(400, 'invalid-data', { invalidElements: ['longUrl'] })
    const tags = ((fields['tags'] ?? []) as string[]).map(tagOf)
    const slug = typeof fields['customSlug'] === 'string' ? slugOf(fields['customSlug']) : undefined
    const found = links.find(
      (link) =>
        link.longUrl === longUrl &&
        (slug === undefined || link.shortCode === slug) &&
        link.tags.join() === tags.join(),
    )
    if (fields['findIfExists'] === true && found) return ok(shown(found))
    if (slug !== undefined && links.some(({ shortCode }) => shortCode === slug)) {
      return problem(400, 'non-unique-slug', { customSlug: slug })
    }
    const link: StoredLink = {
      shortCode: slug ?? `c${++codes}`,
      longUrl,
      title: (fields['title'] as string | null | undefined) ?? null,
      tags,
      validUntil: (fields['validUntil'] as string | undefined) ?? null,
      dateCreated: `${new Date().toISOString().slice(0, 19)}+00:00`,
      visits: [],
    }
    links.unshift(link)
    return ok(shown(link))
  }

  const respond = ({ method, url, headers, body }: ReceivedRequest): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (!pathname.startsWith('/rest/')) {
      const link = links.find(({ shortCode }) => `/${shortCode}` === pathname)
      if (!link) return { status: 404, body: 'Not found' }
      const date = new Date().toISOString()
      link.visits.unshift({ referer: '', date, userAgent: 'x', potentialBot: false })
      return { status: 302, headers: { location: link.longUrl }, body: '' }
    }
    if (headers['x-api-key'] !== apiKey) return problem(401, 'invalid-api-key')
    const query = { ...PAGE, ...Object.fromEntries(searchParams) }
    const page = Number(query.page)
    const perPage = Number(query.itemsPerPage)
    if (pathname === '/rest/v3/domains') {
      return ok({ domains: { data: [{ domain: new URL(base).host, isDefault: true }] } })
    }
    if (pathname === '/rest/v3/tags/stats') {
      const counts = Map.groupBy(
        links.flatMap(({ tags }) => tags),
        (tag) => tag,
      )
      const data = [...counts].map(([tag, all]) => ({ tag, shortUrlsCount: all.length }))
      return ok({ tags: paged(data, page, perPage) })
    }
    if (pathname === '/rest/v3/short-urls') {
      if (method === 'POST') return create(JSON.parse(body) as Record<string, unknown>)
      const term = (searchParams.get('searchTerm') ?? '').toLowerCase()
      const tags = searchParams.getAll('tags[]').map(tagOf)
      const found = links.filter(
        (link) =>
          JSON.stringify(link).toLowerCase().includes(term) &&
          tags.every((tag) => link.tags.includes(tag)),
      )
      const sorted = query.orderBy.endsWith('ASC') ? found.toReversed() : found
      return ok({ shortUrls: paged(sorted.map(shown), page, perPage) })
    }
    const [, code = '', visits] =
      /^\/rest\/v3\/short-urls\/([^/]+)(\/visits)?$/.exec(pathname) ?? []
    const link = links.find(({ shortCode }) => shortCode === decodeURIComponent(code))
    if (!link) return problem(404, 'short-url-not-found')
    if (visits !== undefined) return ok({ visits: paged(link.visits, page, perPage) })
    if (method === 'DELETE') {
      links.splice(links.indexOf(link), 1)
      return { status: 204, body: '' }
    }
    if (method === 'PATCH') Object.assign(link, JSON.parse(body))
    return ok(shown(link))
  }
  return {
    apiKey,
    respond,
    /** How many links it has. */
    count: () => links.length,
    /** Sets the address at which it is reached. */
    isAt: (url: string): void => void (base = url),
  }
}

export async function startFakeShlink() {
  const fake = createFakeShlink()
  const service = await startFakeLinkService(fake.respond)
  fake.isAt(service.baseUrl)
  return { baseUrl: service.baseUrl, apiKey: fake.apiKey, close: () => service.close() }
}
