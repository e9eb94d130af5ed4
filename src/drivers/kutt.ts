import { z } from 'zod'
import {
  type ErrorDetails,
  createRequests,
  pathSegment,
  withQuery,
  type DriverOptions,
} from '../client/requests.ts'
import { readAs } from '../client/json.ts'
import { createFindable, duplicateError, type ReceivedPage } from '../client/lost-create.ts'
import { effectiveDestination } from '../contract/destination.ts'
import type { LinkClicks } from '../contract/extension-calls.ts'
import { MANAGED_LINKS, type Capabilities } from '../port/capabilities.ts'
import { LinkServiceError, type Failure } from '../port/failures.ts'
import type { LinkQuery, LinkService } from '../port/link-service.ts'
import { linkPage, linkSchema, type ListedLink } from '../port/links.ts'
import { addDays, dayOf } from '../timing/days.ts'
import { clickReport } from './click-report.ts'
import { hostnameRecord, managedLinks } from './managed-links.ts'
import { editedDestination, splitUtm, UTM_FIELDS, withoutUtm } from './utm-destination.ts'

const EDITABLE = ['destination_url', 'back_half', ...UTM_FIELDS, 'title', 'expires_at'] as const
const CAPABILITIES: Capabilities = {
  ...MANAGED_LINKS,
  fields: [...EDITABLE, 'domain'],
  editable: EDITABLE,
  // UTM parameters are parts of the destination. Kutt ignores any other field that is empty.
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

// Kutt's errors are sentences. Even if Kutt refuses a request, many of them have the status 500.
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

// Kutt keeps a link's password if it receives this placeholder. A change without a password would remove it.
const SAME_PASSWORD = '•••'

const MAX_PER_PAGE = 50

/** The driver for Kutt (https://github.com/thedevs-network/kutt, https://docs.kutt.it), tried with Kutt 3.2. */
export function createKutt(options: DriverOptions): LinkService {
  const requests = createRequests(options, {
    headers: { 'x-api-key': options.apiKey },
    readError: readKuttError,
  })
  const { clock, send, read, base } = requests
  const host = new URL(base).host

  const receivedLink = linkSchema(kuttLink, (received) => {
    const shortUrl = new URL(received.link)
    // Kutt returns https URLs even if it is served over http.
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

  async function listOnce(query: LinkQuery, signal: AbortSignal): Promise<ReceivedPage> {
    const { page = 1, per_page = 10, q: search } = query
    const perPage = Math.min(per_page, MAX_PER_PAGE)
    const path = withQuery('/api/v2/links', { limit: perPage, skip: (page - 1) * perPage, search })
    const response = await send('GET', path, { signal })
    const { total: totalItems, data } = readAs(kuttList, response)
    return { response, page: linkPage(data, receivedLink, { page, perPage, totalItems }) }
  }

  const linkPath = (id: string): string => `/api/v2/links/${pathSegment(id)}`
  const statsPath = (id: string): string => `${linkPath(id)}/stats`
  const lifetime = (expiresAt: string): string => `${Date.parse(expiresAt) - clock.now()}ms`

  return {
    async create(original, createOptions) {
      const request = splitUtm(original)
      const post = async (signal: AbortSignal): Promise<ListedLink> => {
        const { domain, back_half, title, expires_at } = request
        const json = {
          target: effectiveDestination(request.destination_url, request),
          customurl: back_half || undefined,
          description: title || undefined,
          domain: domain === host ? undefined : domain,
          expire_in: expires_at ? lifetime(expires_at) : undefined,
          reuse: createOptions.allowsDuplicate !== true,
        }
        const response = await send('POST', '/api/v2/links', { json, signal })
        const link = readAs(receivedLink, response)
        // With `reuse`, Kutt returns an existing link with the status 200.
        if (response.status === 201) return link
        throw duplicateError(link)
      }
      return createFindable(requests, createOptions, request, post, listOnce)
    },

    ...managedLinks(requests, CAPABILITIES, {
      list: async (query, signal) => (await listOnce(query, signal)).page,

      // Kutt has no call for a single link, but the response with its clicks contains the link, too.
      get: (name, signal) => read(receivedLink, 'GET', statsPath(name), { signal }),

      change(name, link, changes, signal) {
        const { back_half, title, expires_at } = changes
        const json = {
          target: editedDestination(link, changes),
          address: back_half || undefined,
          description: title || undefined,
          expire_in: expires_at ? lifetime(expires_at) : undefined,
          password: SAME_PASSWORD,
        }
        return read(receivedLink, 'PATCH', linkPath(name), { json, signal }).catch(
          (error: unknown) => {
            // Kutt refuses a change that changes nothing.
            if (error instanceof LinkServiceError && error.code === UNCHANGED) return link
            throw error
          },
        )
      },

      remove: (name, signal) => send('DELETE', linkPath(name), { signal }),

      clicks: async (name, signal) =>
        toLinkClicks(await read(kuttStats, 'GET', statsPath(name), { signal }), dayOf(clock.now())),

      async listDomains(signal) {
        const { domains } = await read(kuttUser, 'GET', '/api/v2/users', { signal })
        const names = domains.map(({ address }) => address)
        const { links } = (await listOnce({ per_page: 50 }, signal)).page
        // All users share a domain. It can differ from the API's hostname, so it is taken from a link.
        const hosts = links.map(({ shortlink_url }) => new URL(shortlink_url).host)
        const domain_name = hosts.find((hostname) => !names.includes(hostname)) ?? host
        return [...names.toReversed().map(hostnameRecord), { name: host, domain_name }]
      },
    }),
  }
}

function toLinkClicks(stats: z.infer<typeof kuttStats>, today: string): LinkClicks {
  const { views, stats: counts } = stats.lastMonth
  const days = views.map((people, index) => ({
    date: addDays(today, index - views.length + 1),
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
  const knownError = KNOWN_ERRORS.find(({ pattern }) => pattern.test(message))
  if (knownError) return { message, ...knownError }
  const field = FIELDS.find(({ pattern }) => pattern.test(message))?.field
  if (status !== 400 || field === undefined) return { message }
  return { failure: { kind: 'invalid', fields: { [field]: message } }, message }
}
