import { z } from 'zod'
import { createRequests, pathSegment, withQuery, type DriverOptions } from '../client/requests.ts'
import { canBeSentAgain } from '../client/lost-create.ts'
import { effectiveDestination } from '../contract/destination.ts'
import { eachField } from '../contract/field-spec.ts'
import { UTM_PARAMETERS } from '../contract/link-fields.ts'
import { parseTags } from '../contract/tags.ts'
import { MANAGED_LINKS, type Capabilities } from '../port/capabilities.ts'
import { failureOf, LinkServiceError, type Failure } from '../port/failures.ts'
import type { LinkService } from '../port/link-service.ts'
import { linkPage, linkSchema } from '../port/links.ts'
import { dayOf } from '../timing/days.ts'
import { clickReport } from './click-report.ts'
import { hostnameRecord, managedLinks } from './managed-links.ts'
import { UTM_FIELDS, withoutUtm } from './utm-destination.ts'

// Custom previews need a paid plan, so they are left out.
const CLEARABLE = [...UTM_FIELDS, 'title', 'tags', 'expires_at'] as const
const EDITABLE = ['destination_url', 'back_half', ...CLEARABLE] as const
const CAPABILITIES: Capabilities = {
  ...MANAGED_LINKS,
  fields: [...EDITABLE, 'domain'],
  editable: EDITABLE,
  clearable: CLEARABLE,
  usedDestination: 'allowed',
  isMetered: true,
  sorts: ['most_recent', 'created_at', 'clicks'],
  tagFilter: true,
}

const dubLink = z.object({
  ...eachField(UTM_PARAMETERS, () => z.string().nullish()),
  id: z.string(),
  key: z.string(),
  url: z.string(),
  shortLink: z.url(),
  title: z.string().nullish(),
  tags: z
    .array(z.object({ name: z.string() }))
    .max(100)
    .nullish(),
  expiresAt: z.string().nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  clicks: z.unknown(),
})
const receivedLink = linkSchema(dubLink, (link) => ({
  // Dub stores UTM values twice: by themselves, and in the destination.
  ...withoutUtm(link.url),
  ...eachField(UTM_PARAMETERS, (name) => link[name] ?? withoutUtm(link.url)[name]),
  name: link.id,
  back_half: link.key,
  shortlink_url: link.shortLink,
  title: link.title,
  tags: link.tags?.map(({ name }) => name),
  expires_at: link.expiresAt,
  created_at: link.createdAt,
  updated_at: link.updatedAt,
  clicks: link.clicks,
}))
const domainsResponse = z.array(
  z.object({ slug: z.string().min(1), archived: z.boolean().optional() }),
)
const timeseries = z.array(z.object({ start: z.string(), clicks: z.int().nonnegative() })).max(400)
const referers = z.array(z.object({ referer: z.string(), clicks: z.int().nonnegative() }))

const SHARED_DOMAIN = 'dub.sh'

/** The driver for Dub (https://dub.co). It has not been tried with a real Dub. */
export function createDub(options: DriverOptions): LinkService {
  const { apiKey } = options
  const requests = createRequests<{ isAboutLink?: boolean }>(options, {
    headers: { authorization: `Bearer ${apiKey}` },
    readError(json, _status, { isAboutLink = false }) {
      const { code = '', message = '' } = errorResponse.safeParse(json).data?.error ?? {}
      const isDubKey = apiKey.startsWith('dub_')
      return { failure: readFailure(code, message, { isAboutLink, isDubKey }), message, code }
    },
  })
  const { clock, call, read, send } = requests
  const linkPath = (id: string): string => `/links/${pathSegment(id)}`
  const readLink = (query: object, signal: AbortSignal) =>
    read(receivedLink, 'GET', withQuery('/links/info', query), { signal, isAboutLink: true })

  return {
    async create(request, { idempotencyKey, ...callOptions }) {
      const { destination_url, back_half, domain, title, tags, expires_at } = request
      const json = {
        ...eachField(UTM_PARAMETERS, (name) => request[name] || undefined),
        url: effectiveDestination(destination_url, request),
        key: back_half || undefined,
        domain,
        title: title || undefined,
        tagNames: tags ? parseTags(tags) : undefined,
        expiresAt: expires_at,
        externalId: idempotencyKey,
      }
      // Dub accepts each `externalId` only once, so it serves as the idempotency key. The request can be sent again.
      const post = (signal: AbortSignal) =>
        read(receivedLink, 'POST', '/links', { json, signal }).catch((error: unknown) => {
          const isUsed = error instanceof LinkServiceError && error.code === 'conflict'
          if (!isUsed || !failureOf(error, 'conflict')) throw error
          return readLink({ externalId: `ext_${idempotencyKey}` }, signal)
        })
      return call('create', callOptions, post, { isRetryable: canBeSentAgain })
    },

    ...managedLinks(requests, CAPABILITIES, {
      async list(query, signal) {
        const { page = 1, per_page: perPage = 10, q: search, tag, sort_by, order } = query
        const path = withQuery('/links', {
          page,
          pageSize: perPage,
          search,
          sortOrder: order,
          sortBy: sort_by === 'clicks' ? 'clicks' : 'createdAt',
          tagNames: tag,
        })
        const items = await read(z.array(z.unknown()).max(100), 'GET', path, { signal })
        return linkPage(items, receivedLink, { page, perPage })
      },

      get: (linkId, signal) => readLink({ linkId }, signal),

      change(linkId, link, changes, signal) {
        const { destination_url = link.destination_url, back_half, title, tags } = changes
        const { expires_at, utm_analytics_enabled } = changes
        // If only the destination were sent, Dub would restore the stored UTM values. So all of them are sent.
        const utm = eachField(UTM_PARAMETERS, (name) =>
          utm_analytics_enabled === false ? undefined : (changes[name] ?? link[name]),
        )
        const json = {
          ...eachField(UTM_PARAMETERS, (name) => utm[name] || null),
          url: effectiveDestination(withoutUtm(destination_url).destination_url, utm),
          key: back_half,
          title: title === '' ? null : title,
          tagNames: tags === undefined ? undefined : parseTags(tags),
          expiresAt: expires_at === '' ? null : expires_at,
        }
        const about = { json, signal, isAboutLink: true }
        return read(receivedLink, 'PATCH', linkPath(linkId), about)
      },

      remove: (id, signal) => send('DELETE', linkPath(id), { signal, isAboutLink: true }),

      async clicks(linkId, signal) {
        const analytics = <T>(schema: z.ZodType<T>, groupBy: string) => {
          const query = { event: 'clicks', groupBy, linkId, interval: '30d' }
          return read(schema, 'GET', withQuery('/analytics', query), { signal, isAboutLink: true })
        }
        const dailyCounts = await analytics(timeseries, 'timeseries')
        const refererCounts = await analytics(referers, 'referers')
        const link = await readLink({ linkId }, signal)
        const days = dailyCounts.map(({ start, clicks }) => ({
          date: dayOf(Date.parse(start)),
          people: clicks,
          bots: 0,
        }))
        const referrers = refererCounts
          .filter(({ referer }) => referer !== '(direct)')
          .map(({ referer, clicks }) => ({ host: referer, people: clicks }))
        return clickReport(days, referrers, { allTime: link.clicks, today: dayOf(clock.now()) })
      },

      async listDomains(signal) {
        const domains = await read(domainsResponse, 'GET', '/domains', { signal })
        const slugs = domains.filter(({ archived }) => !archived).map(({ slug }) => slug)
        const others = slugs.filter((slug) => slug !== SHARED_DOMAIN).toReversed()
        return [SHARED_DOMAIN, ...others].map(hostnameRecord)
      },
    }),
  }
}

const errorResponse = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

const FIELDS: Partial<Record<string, string>> = {
  url: 'destination_url',
  key: 'back_half',
  domain: 'domain',
  title: 'title',
  tagNames: 'tags',
  expiresAt: 'expires_at',
}

function readFailure(
  code: string,
  message: string,
  { isAboutLink, isDubKey }: { isAboutLink: boolean; isDubKey: boolean },
): Failure | undefined {
  switch (code) {
    case 'conflict':
      return { kind: /externalId/.test(message) ? 'conflict' : 'back_half_taken' }
    case 'exceeded_limit':
      return { kind: 'quota' }
    case 'not_found':
      if (isAboutLink) return { kind: 'gone' }
      // To a key that is not one of Dub's, Dub responds that the workspace was not found.
      return isDubKey ? undefined : { kind: 'unauthorized' }
    case 'bad_request':
    case 'unprocessable_entity': {
      // Such as "custom: url: Invalid URL".
      const [, name = ''] = /(?:^|[\s:])(\w+): /.exec(message) ?? []
      const field = FIELDS[name]
      return { kind: 'invalid', fields: field ? { [field]: message } : {} }
    }
    default:
      return undefined
  }
}
