import { z } from 'zod'
import { removeLink, updateLink } from '../client/calls.ts'
import {
  type ErrorDetails,
  createRequests,
  jsonBody,
  pathSegment,
  withQuery,
  type DriverOptions,
} from '../client/requests.ts'
import { readAs } from '../client/json.ts'
import { createFindable, duplicateError, type TimedPage } from '../client/lost-create.ts'
import {
  checkUnchanged,
  linkPage,
  linkSchema,
  timedPage,
  versionedLink,
} from '../client/mapped-links.ts'
import { effectiveDestination } from '../contract/destination.ts'
import type { LinkClicks } from '../contract/extension-calls.ts'
import { MANAGED_LINKS, type Capabilities } from '../port/capabilities.ts'
import { LinkServiceError, type Failure } from '../port/failures.ts'
import type { LinkQuery, LinkService } from '../port/link-service.ts'
import type { ListedLink } from '../port/links.ts'
import { addDays, dayOf } from '../timing/days.ts'
import { clickReport } from './click-report.ts'
import { editedDestination, splitUtm, UTM_FIELDS, withoutUtm } from './utm-destination.ts'

/** Kutt (https://github.com/thedevs-network/kutt, https://docs.kutt.it), as seen on a running Kutt 3.2. */
const EDITABLE = ['destination_url', 'back_half', ...UTM_FIELDS, 'title', 'expires_at'] as const
const CAPABILITIES: Capabilities = {
  ...MANAGED_LINKS,
  fields: [...EDITABLE, 'domain'],
  editable: EDITABLE,
  // They are parts of the destination. Kutt ignores any field that is empty.
  clearable: UTM_FIELDS,
  backHalf: { pattern: '^[A-Za-z0-9_-]*$', allows: 'letters, digits, - and _', maxLength: 64 },
  usedDestination: 'findable',
  sorts: ['most_recent'],
  orders: ['desc'],
}

const kuttLink = z.object({
  id: z.string(),
  address: z.string(),
  description: z.string().nullish(),
  target: z.string(),
  expire_in: z.string().nullish(),
  visit_count: z.unknown(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  link: z.url(),
})
const kuttList = z.object({ total: z.number(), data: z.array(z.unknown()).max(100) })
const kuttUser = z.object({
  domains: z.array(z.object({ address: z.string().min(1) })).max(1_000),
})
const kuttStats = z.object({
  lastMonth: z.object({
    /** The clicks by day. The last number is for today. */
    views: z.array(z.int().nonnegative()).max(31),
    stats: z.object({
      referrer: z.array(z.object({ name: z.string(), value: z.int().nonnegative() })).max(10_000),
    }),
  }),
  visit_count: z.int().nonnegative().catch(0),
})

/** Kutt's errors are sentences. Many have the status 500, although it has refused what was asked. */
const UNCHANGED = 'unchanged'
const KNOWN_ERRORS: readonly { pattern: RegExp; code: string; failure: Failure }[] = [
  { pattern: /^Should at least update one field/, code: UNCHANGED, failure: { kind: 'refused' } },
  { pattern: /^Custom URL is already in use/, code: 'taken', failure: { kind: 'back_half_taken' } },
  {
    pattern: /^(Link was not found|Could not find the link|Link could not be found|ID is invalid)/,
    code: 'gone',
    failure: { kind: 'gone' },
  },
]
const FIELDS: readonly { pattern: RegExp; field: string }[] = [
  { pattern: /custom url/i, field: 'back_half' },
  { pattern: /^expire/i, field: 'expires_at' },
  { pattern: /^description/i, field: 'title' },
  { pattern: /domain/i, field: 'domain' },
  { pattern: /url|target/i, field: 'destination_url' },
]

/** Keeps the password of a link. A change without one would remove it. */
const SAME_PASSWORD = '•••'

const MAX_PER_PAGE = 50

export function createKutt(options: DriverOptions): LinkService {
  const requests = createRequests(options, {
    headers: { 'x-api-key': options.apiKey },
    readError: readKuttError,
  })
  const { clock, call, send, base } = requests
  const host = new URL(base).host

  const receivedLink = linkSchema(kuttLink, (received) => {
    const shortUrl = new URL(received.link)
    // Kutt writes https even if it is served over http.
    if (shortUrl.host === host) shortUrl.protocol = new URL(base).protocol
    return {
      ...withoutUtm(received.target),
      name: received.id,
      back_half: received.address,
      shortlink_url: shortUrl.href,
      title: received.description,
      expires_at: received.expire_in,
      clicks: received.visit_count,
      created_at: received.created_at,
      updated_at: received.updated_at,
    }
  })

  function listOnce(query: LinkQuery, signal: AbortSignal): Promise<TimedPage> {
    const { page = 1, per_page = 10, q: search } = query
    const perPage = Math.min(per_page, MAX_PER_PAGE)
    const path = withQuery('/api/v2/links', { limit: perPage, skip: (page - 1) * perPage, search })
    return timedPage(clock, async () => {
      const response = await send('GET', path, { signal })
      const { total: totalItems, data } = readAs(kuttList, response)
      return { response, page: linkPage(data, receivedLink, { page, perPage, totalItems }) }
    })
  }

  const linkPath = (id: string): string => `/api/v2/links/${pathSegment(id)}`
  /** There is no call for a single link, but the one for its clicks shows the link, too. */
  const read = (id: string, signal: AbortSignal) => send('GET', `${linkPath(id)}/stats`, { signal })

  const lifetime = (expiresAt: string): string => `${Date.parse(expiresAt) - clock.now()}ms`

  return {
    async create(given, createOptions) {
      const request = splitUtm(given)
      const post = async (signal: AbortSignal): Promise<ListedLink> => {
        const { domain, back_half, title, expires_at } = request
        const body = jsonBody({
          target: effectiveDestination(request.destination_url, request),
          ...(back_half && { customurl: back_half }),
          ...(title && { description: title }),
          ...(domain !== host && { domain }),
          ...(expires_at && { expire_in: lifetime(expires_at) }),
          reuse: createOptions.allowsDuplicate !== true,
        })
        const response = await send('POST', '/api/v2/links', { ...body, signal })
        const link = readAs(receivedLink, response)
        // With `reuse`, Kutt returns an existing link with the status 200.
        if (response.status === 201) return link
        throw duplicateError(link)
      }
      return createFindable(requests, createOptions, { request, send: post, list: listOnce })
    },

    list: (query = {}, callOptions = {}) =>
      call('list', callOptions, async (signal) => (await listOnce(query, signal)).page),

    readCapabilities: async () => CAPABILITIES,

    get: (name, callOptions = {}) =>
      call('get', callOptions, async (signal) =>
        versionedLink(readAs(receivedLink, await read(name, signal))),
      ),

    update: (name, changes, { etag, ...callOptions } = {}) =>
      updateLink(call, callOptions, async (signal) => {
        const link = readAs(receivedLink, await read(name, signal))
        checkUnchanged(link, etag)
        const { back_half, title, expires_at } = changes
        const body = jsonBody({
          target: editedDestination(link, changes),
          ...(back_half && { address: back_half }),
          ...(title && { description: title }),
          ...(expires_at && { expire_in: lifetime(expires_at) }),
          password: SAME_PASSWORD,
        })
        const response = await send('PATCH', linkPath(name), { ...body, signal }).catch(
          (error: unknown) => {
            // An edit that changes nothing is an error.
            if (error instanceof LinkServiceError && error.code === UNCHANGED) return undefined
            throw error
          },
        )
        return versionedLink(response ? readAs(receivedLink, response) : link)
      }),

    remove: (name, callOptions = {}) =>
      removeLink(call, callOptions, (signal) => send('DELETE', linkPath(name), { signal })),

    clicks: (name, callOptions = {}) =>
      call('clicks', callOptions, async (signal) =>
        toLinkClicks(readAs(kuttStats, await read(name, signal)), dayOf(clock.now())),
      ),

    listDomains: (callOptions = {}) =>
      call('list_domains', callOptions, async (signal) => {
        const { domains } = readAs(kuttUser, await send('GET', '/api/v2/users', { signal }))
        const names = domains.map(({ address }) => address)
        const records = names.map((name) => ({ name, domain_name: name }))
        const { links } = (await listOnce({ per_page: 50 }, signal)).page
        const shared = { name: host, domain_name: findSharedDomain(links, names) ?? host }
        return { domains: [...records.toReversed(), shared], hasMore: false }
      }),
  }
}

/** The domain that all users share can differ from the API's. Links show it. */
function findSharedDomain(links: readonly ListedLink[], own: readonly string[]) {
  const hosts = links.map(({ shortlink_url }) => new URL(shortlink_url).host)
  return hosts.find((host) => !own.includes(host))
}

function toLinkClicks(stats: z.infer<typeof kuttStats>, today: string): LinkClicks {
  const { views, stats: counts } = stats.lastMonth
  const days = views.map((people, at) => ({
    date: addDays(today, at - views.length + 1),
    people,
    bots: 0,
  }))
  const referrers = counts.referrer
    .filter(({ name }) => name.toLowerCase() !== 'direct')
    .map(({ name, value }) => ({ host: name.replaceAll('[dot]', '.'), people: value }))
  return clickReport(days, referrers, { allTime: stats.visit_count, today })
}

function readKuttError(json: unknown, status: number): ErrorDetails {
  const { error: message = '' } = z.object({ error: z.string() }).safeParse(json).data ?? {}
  const known = KNOWN_ERRORS.find(({ pattern }) => pattern.test(message))
  // What the app itself says of these failures is enough, so it doesn't show Kutt's sentence.
  if (known) return { failure: known.failure, message, code: known.code, isClear: true }
  const field = FIELDS.find(({ pattern }) => pattern.test(message))?.field
  if (status !== 400 || field === undefined) return { message }
  return { failure: { kind: 'invalid', fields: { [field]: message } }, message }
}
