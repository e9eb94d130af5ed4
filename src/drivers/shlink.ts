import { z } from 'zod'
import { createRequests, pathSegment, withQuery, type DriverOptions } from '../client/requests.ts'
import { readAs } from '../client/json.ts'
import { createFindable, duplicateError, type ReceivedPage } from '../client/lost-create.ts'
import { effectiveDestination } from '../contract/destination.ts'
import { parseTags } from '../contract/tags.ts'
import { MANAGED_LINKS, type Capabilities } from '../port/capabilities.ts'
import type { Failure } from '../port/failures.ts'
import type { LinkQuery, LinkService } from '../port/link-service.ts'
import { linkPage, linkSchema, type ListedLink } from '../port/links.ts'
import { dayOf, daysUntil } from '../timing/days.ts'
import { countVisits, receivedVisit, type Visit } from './click-report.ts'
import { hostnameRecord, managedLinks } from './managed-links.ts'
import { editedDestination, splitUtm, UTM_FIELDS, withoutUtm } from './utm-destination.ts'

const CLEARABLE = [...UTM_FIELDS, 'title', 'tags', 'expires_at'] as const
const EDITABLE = ['destination_url', ...CLEARABLE] as const
const CAPABILITIES: Capabilities = {
  ...MANAGED_LINKS,
  fields: [...EDITABLE, 'back_half', 'domain'],
  editable: EDITABLE,
  clearable: CLEARABLE,
  // Shlink replaces spaces and slashes with dashes. It might also change the case, but the response shows that.
  backHalf: { pattern: '^[^\\s/]*$', allows: 'no spaces and no slashes' },
  usedDestination: 'findable',
  sorts: ['most_recent', 'created_at', 'clicks'],
  tagFilter: true,
  tags: true,
}

const SEARCHED_LINKS = 20

// Shlink lists each visit. If a link has more pages of visits than this, only its latest days are counted.
const MAX_VISIT_PAGES = 5
const CLICK_DAYS = 30

const shlinkLink = z.object({
  shortCode: z.string(),
  shortUrl: z.url(),
  longUrl: z.string(),
  dateCreated: z.string(),
  visitsSummary: z.object({ nonBots: z.unknown() }).optional(),
  tags: z.unknown(),
  meta: z.object({ validUntil: z.string().nullish() }).optional(),
  domain: z.string().nullable(),
  title: z.string().nullish(),
})

const receivedLink = linkSchema(shlinkLink, (link) => ({
  ...withoutUtm(link.longUrl),
  // `back-half` on the default domain, otherwise `go.example.com/back-half`
  name: link.domain === null ? link.shortCode : `${link.domain}/${link.shortCode}`,
  back_half: link.shortCode,
  shortlink_url: link.shortUrl,
  title: link.title,
  tags: link.tags,
  expires_at: link.meta?.validUntil,
  created_at: link.dateCreated,
  clicks: link.visitsSummary?.nonBots,
}))

const pagination = z.object({ pagesCount: z.number(), totalItems: z.number() })
const linksResponse = z.object({
  shortUrls: z.object({ data: z.array(z.unknown()), pagination }),
})
const domainsResponse = z.object({
  domains: z.object({
    data: z.array(z.object({ domain: z.string().min(1), isDefault: z.boolean() })),
  }),
})
const tagsResponse = z.object({
  tags: z.object({
    data: z.array(z.object({ tag: z.string().max(200), shortUrlsCount: z.int().nonnegative() })),
  }),
})
const visitsResponse = z.object({
  visits: z.object({ data: z.array(receivedVisit), pagination }),
})

/** The driver for Shlink 5 (https://shlink.io), REST version 3. It has not been tried with a real Shlink. */
export function createShlink(options: DriverOptions): LinkService {
  const requests = createRequests(options, {
    headers: { 'x-api-key': options.apiKey },
    readError(json) {
      const { type, detail, invalidElements = [] } = errorResponse.safeParse(json).data ?? {}
      const code = type?.split('/').at(-1)
      if (code === 'invalid-data') {
        const reason = detail ?? 'The link service refuses this.'
        const fields = Object.fromEntries(
          invalidElements.map((name) => [FIELDS[name] ?? name, reason]),
        )
        return { failure: { kind: 'invalid', fields }, message: detail, code }
      }
      return { failure: FAILURES.get(code ?? ''), message: detail, code }
    },
  })
  const { clock, call, send, read } = requests

  async function listOnce(query: LinkQuery, signal: AbortSignal): Promise<ReceivedPage> {
    const { page = 1, per_page: perPage = 10, q, tag = [], sort_by, order = 'desc' } = query
    const path = withQuery('/rest/v3/short-urls', {
      page,
      itemsPerPage: perPage,
      searchTerm: q,
      orderBy: `${sort_by === 'clicks' ? 'nonBotVisits' : 'dateCreated'}-${order.toUpperCase()}`,
      ...(tag.length > 0 && { tagsMode: 'all' }),
    })
    const tags = tag.map((name) => `&tags[]=${encodeURIComponent(name)}`).join('')
    const response = await send('GET', path + tags, { signal })
    const { data, pagination: pages } = readAs(linksResponse, response).shortUrls
    const { totalItems } = pages
    return { response, page: linkPage(data, receivedLink, { page, perPage, totalItems }) }
  }

  function linkPath(name: string, rest = '', query = {}): string {
    const slash = name.lastIndexOf('/')
    const code = pathSegment(name.slice(slash + 1))
    const domain = slash === -1 ? undefined : name.slice(0, slash)
    return withQuery(`/rest/v3/short-urls/${code}${rest}`, { domain, ...query })
  }

  const readLink = (name: string, signal: AbortSignal): Promise<ListedLink> =>
    read(receivedLink, 'GET', linkPath(name), { signal })

  return {
    async create(original, createOptions) {
      const { isOnDomain = () => true, allowsDuplicate } = createOptions
      const request = splitUtm(original)
      const post = async (signal: AbortSignal): Promise<ListedLink> => {
        const { domain, back_half, title, tags, expires_at } = request
        const longUrl = effectiveDestination(request.destination_url, request)
        // Looks for a link first, because `findIfExists` prevents a second link, but doesn't say whether the link is new.
        if (!allowsDuplicate) {
          const { page } = await listOnce({ q: longUrl, per_page: SEARCHED_LINKS }, signal)
          const link = page.links.find(
            (listed) =>
              effectiveDestination(listed.destination_url, listed) === longUrl &&
              isOnDomain(new URL(listed.shortlink_url)),
          )
          if (link) throw duplicateError(link)
        }
        const json = {
          longUrl,
          customSlug: back_half || undefined,
          title: title || undefined,
          tags: parseTags(tags ?? ''),
          domain,
          validUntil: expires_at,
          findIfExists: allowsDuplicate !== true,
        }
        return read(receivedLink, 'POST', '/rest/v3/short-urls', { json, signal })
      }
      return createFindable(requests, createOptions, request, post, listOnce)
    },

    ...managedLinks(requests, CAPABILITIES, {
      list: async (query, signal) => (await listOnce(query, signal)).page,

      get: readLink,

      change(name, link, changes, signal) {
        const { title, tags, expires_at } = changes
        const json = {
          longUrl: editedDestination(link, changes),
          title: title === '' ? null : title,
          tags: tags === undefined ? undefined : parseTags(tags),
          validUntil: expires_at === '' ? null : expires_at,
        }
        return read(receivedLink, 'PATCH', linkPath(name), { json, signal })
      },

      remove: (name, signal) => send('DELETE', linkPath(name), { signal }),

      async clicks(name, signal) {
        const range = daysUntil(dayOf(clock.now()), CLICK_DAYS)
        const visits: Visit[] = []
        let isIncomplete = true
        for (let page = 1; isIncomplete && page <= MAX_VISIT_PAGES; page++) {
          const query = { startDate: range.from, itemsPerPage: 1_000, page }
          const path = linkPath(name, '/visits', query)
          const response = await read(visitsResponse, 'GET', path, { signal })
          visits.push(...response.visits.data)
          isIncomplete = page < response.visits.pagination.pagesCount
        }
        const { clicks: allTime } = await readLink(name, signal)
        return countVisits(visits, range, { isIncomplete, allTime })
      },

      async listDomains(signal) {
        const { domains } = await read(domainsResponse, 'GET', '/rest/v3/domains', { signal })
        // The app shows the last domain first, so the default one comes last.
        return domains.data
          .toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault))
          .map(({ domain }) => hostnameRecord(domain))
      },
    }),

    tags: (callOptions = {}) =>
      call('list_tags', callOptions, async (signal) => {
        const query = { itemsPerPage: 100, page: 1, orderBy: 'shortUrlsCount-DESC' }
        const path = withQuery('/rest/v3/tags/stats', query)
        const { data } = (await read(tagsResponse, 'GET', path, { signal })).tags
        return data.map(({ tag: name, shortUrlsCount: links }) => ({ name, links }))
      }),
  }
}

const errorResponse = z.object({
  type: z.string(),
  detail: z.string().optional(),
  invalidElements: z.array(z.string()).max(20).optional().catch(undefined),
})

const FIELDS: Partial<Record<string, string>> = {
  longUrl: 'destination_url',
  customSlug: 'back_half',
  validUntil: 'expires_at',
  title: 'title',
  domain: 'domain',
  tags: 'tags',
}

const FAILURES = new Map<string, Failure>([
  ['non-unique-slug', { kind: 'back_half_taken' }],
  ['short-url-not-found', { kind: 'gone' }],
  ['invalid-api-key', { kind: 'unauthorized' }],
  ['missing-authentication', { kind: 'unauthorized' }],
  ['invalid-short-url-deletion', { kind: 'refused' }],
])
