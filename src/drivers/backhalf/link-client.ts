import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import {
  API_KEY_HEADER,
  CREATE_PATH,
  DOMAINS_PATH,
  IDEMPOTENCY_KEY_HEADER,
  LIST_PATH,
  OPENAPI_PATH,
  parseBaseUrl,
  REPORTS_PATH,
  REQUEST_ID_HEADER,
  TAGS_PATH,
  TRACEPARENT_HEADER,
} from '../../contract/endpoints.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import {
  domainsEnvelope,
  tagsEnvelope,
  type DomainRecord,
  type UsedTag,
} from '../../contract/extension-calls.ts'
import type { ListQuery } from '../../contract/list-query.ts'
import { NO_OFFERS, type Offers } from '../../port/capabilities.ts'
import { reportEnvelope, type Report, type ReportQuery } from '../../contract/report.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { LinkServiceCall, LinkServiceMetrics } from '../../metrics/app-metrics.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import { createCalls, type CallOptions } from '../../client/calls.ts'
import {
  ApiError,
  LinkExistsError,
  NetworkError,
  ResponseShapeError,
  type LinkServiceError,
} from '../../port/failures.ts'
import { readLinkPage, type LinkPage } from './link-page.ts'
import { encodeCreateRequest, encodeForm } from './multipart.ts'
import {
  type Ask,
  createOneLink,
  type EditOptions,
  madeByHeader,
  type RequestParts,
  withQuery,
} from './one-link.ts'
import { findOwnLink, type TimedPage } from '../../client/lost-create.ts'
import { createPeople } from './people.ts'
import { readApiError } from './read-api-error.ts'
import { offersOf } from './read-capabilities.ts'
import { readEnvelope, readJson, receivedCreate } from '../../client/json.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../client/transport.ts'

export type { LinkClicks } from '../../contract/extension-calls.ts'
export type { CallOptions } from '../../client/calls.ts'
export type { LinkPage, ListedLink } from './link-page.ts'
export type { SignInAddress } from './people.ts'
export type { LinkDetails, ReadLink } from './one-link.ts'

/** What to list. The specification has only pages and orders; use the rest only if the service offers it. */
export type LinkQuery = Partial<ListQuery>

export type LinkClient = ReturnType<typeof createLinkClient>

/** A record that no service has. Only a service that complains about it shows which records it knows. */
export const NO_DOMAIN = 'backhalf-tries-an-unknown-domain'

interface CreateOptions extends CallOptions, Pick<EditOptions, 'madeBy'> {
  /** The same for every delivery of the same request from Slack. */
  idempotencyKey: string
  /** Whether a short URL is on the domain that the request names; by default, any is. */
  isOnDomain?: ((shortUrl: URL) => boolean) | undefined
}

interface LinkClientOptions {
  transport: Transport
  /** The service's {base_url}. It may have a path. */
  baseUrl: string
  apiKey: string
  clock?: Clock
  /** The ID of what the caller works on: 32 hex digits. Undefined if it has none. */
  requestId?: () => string | undefined
  /** Undefined: nothing is measured. Reading the offers runs in the background and is not measured. */
  metrics?: LinkServiceMetrics | undefined
}

/** How many domain records are requested. As many options fit in one of Slack's menus. */
export const MAX_DOMAINS = 100

/** The domain records that a key can use. */
interface DomainList {
  domains: DomainRecord[]
  /** Whether there are more than these. */
  hasMore: boolean
}

/** How long reading the offers may take, in milliseconds. An admin who connects the workspace waits for it. */
const OFFERS_WITHIN_MS = 4_000

/**
 * Creates a client, which calls a link service with one API key. Every failure of the service or of the network is a
 * LinkServiceError. A caller who aborts gets the signal's reason. It is cheap to create one per key, because the
 * transport holds the connections.
 *
 * @throws TypeError if the base URL is invalid
 */
export function createLinkClient({
  transport,
  baseUrl,
  apiKey,
  clock = systemClock,
  requestId = () => undefined,
  metrics,
}: LinkClientOptions) {
  const base = parseBaseUrl(baseUrl)
  const make = createCalls(clock, metrics)

  /** @throws ApiError if the request does not succeed */
  async function send(
    method: HttpRequest['method'],
    path: string,
    { isAboutLink = false, ...request }: RequestParts,
  ): Promise<HttpResponse> {
    const headers = {
      accept: 'application/json',
      ...request.headers,
      ...traceHeaders(requestId()),
      [API_KEY_HEADER]: apiKey,
    }
    const response = await transport.send({ ...request, method, url: base + path, headers })
    if (response.status >= 200 && response.status < 300) return response
    throw readApiError(response, { apiKey, isAboutLink, now: clock.now() })
  }

  const ask: Ask = async (method, path, envelope, more) => {
    const response = await send(method, path, more)
    return { data: readEnvelope(envelope, response), response }
  }

  /** Makes a call that only reads. */
  const read = async <T>(
    call: LinkServiceCall,
    path: string,
    envelope: z.ZodType<{ data: T }>,
    options: CallOptions,
  ): Promise<T> =>
    (await make(call, options, (signal) => ask('GET', path, envelope, { signal }))).data

  async function listOnce(query: LinkQuery, signal: AbortSignal): Promise<TimedPage> {
    const { page = 1, per_page: perPage = 10, ...rest } = query
    const path = withQuery(LIST_PATH, { page, per_page: perPage, ...rest })
    const sentAt = clock.now()
    const response = await send('GET', path, { signal })
    const date = Date.parse(response.header('date') ?? '')
    return {
      page: readLinkPage(readJson(response), {
        status: response.status,
        page,
        perPage,
        searched: query.q !== undefined,
      }),
      sentAt,
      receivedAt: clock.now(),
      date: Number.isNaN(date) ? undefined : date,
    }
  }

  return {
    ...createOneLink(ask, make),
    ...createPeople(ask, make),

    /**
     * Creates a shortlink (spec §4.1) and retries temporary failures. If an attempt may have created the link
     * although its response got lost, the link is searched among the newest links before anything is sent
     * again. Nothing is sent again if that doesn't show whether there is a link.
     *
     * @throws LinkExistsError if there is a link that the lost attempt may have made; any other
     *   LinkServiceError; ZodError if the request violates the contract
     */
    async create(
      request: CreateRequest,
      { idempotencyKey, isOnDomain = () => true, madeBy, ...options }: CreateOptions,
    ): Promise<Shortlink> {
      const { body, headers: form } = encodeCreateRequest(request)
      const headers = {
        ...form,
        ...madeByHeader(madeBy),
        [IDEMPOTENCY_KEY_HEADER]: idempotencyKey,
      }
      const since = clock.now()

      const findLost = (failure: LinkServiceError, signal: AbortSignal) =>
        findOwnLink({ request, failure, since, isOnDomain }, (query) => listOnce(query, signal))

      async function attempt(signal: AbortSignal, uncertain?: LinkServiceError) {
        if (uncertain) {
          const found = await findLost(uncertain, signal)
          if (found === 'unknown') throw uncertain
          if (found !== 'none') return found
        }
        const more = { headers, body, signal }
        return (await ask('POST', CREATE_PATH, receivedCreate, more)).data.shortlink
      }

      return make('create', options, attempt, {
        isRetryable: mayBeSentAgain,
        async look(error, uncertain, signal) {
          if (error instanceof LinkExistsError) return undefined
          if (error !== uncertain && !isConflict(error)) return undefined
          const found = await findLost(uncertain, signal)
          return typeof found === 'object' ? found : undefined
        },
      })
    },

    /** Returns a page of the key's shortlinks (spec §4.2), by default the first ten. */
    list: (query: LinkQuery = {}, options: CallOptions = {}): Promise<LinkPage> =>
      make('list', options, async (signal) => (await listOnce(query, signal)).page),

    /** Returns the domain records that the key can use. Beyond the specification: only if the service offers it. */
    async listDomains(options: CallOptions = {}): Promise<DomainList> {
      const path = withQuery(DOMAINS_PATH, { per_page: MAX_DOMAINS })
      const { domains, pagination } = await read('list_domains', path, domainsEnvelope, options)
      return { domains, hasMore: pagination.total_items > domains.length }
    },

    /** Returns the tags of the key's links, the most used first. Beyond the specification: only if the service offers it. */
    tags: async (options: CallOptions = {}): Promise<UsedTag[]> =>
      (await read('list_tags', TAGS_PATH, tagsEnvelope, options)).tags,

    /** Counts the clicks of groups of links. Beyond the specification: only if the service offers it. */
    report: async (query: Partial<ReportQuery> = {}, options: CallOptions = {}): Promise<Report> =>
      (await read('report', withQuery(REPORTS_PATH, query), reportEnvelope, options)).report,

    /**
     * Sends a create that has a domain record but no destination, which the specification requires, so that
     * no link is made.
     *
     * @returns the service's complaint about the domain record
     * @throws LinkServiceError if the service does not complain about anything, or can't be asked
     */
    tryDomain: (domain: string, options: CallOptions = {}): Promise<string | undefined> =>
      make('try_domain', options, async (signal) => {
        const request = { ...encodeForm({ domain }), signal }
        const response = await send('POST', CREATE_PATH, request).catch((error: unknown) => {
          if (error instanceof ApiError && [400, 422].includes(error.status)) return error
          throw error
        })
        if (response instanceof ApiError) return response.fieldMessages['domain']
        throw new ResponseShapeError(response.status, 'no complaint about a missing destination')
      }),

    /**
     * Reads from the service's OpenAPI document which calls beyond the specification it offers. Never rejects.
     *
     * @returns undefined if the service can't be asked right now; no offers if it has no such document
     */
    async readOffers(): Promise<Offers | undefined> {
      try {
        const signal = clock.timeout(OFFERS_WITHIN_MS)
        return offersOf((await send('GET', OPENAPI_PATH, { signal })).text)
      } catch (error) {
        // A key that is refused, or a service that is too busy, says nothing about the offers.
        const isFinal = error instanceof ApiError && error.status < 500
        return isFinal && ![401, 408, 429].includes(error.status) ? NO_OFFERS : undefined
      }
    },
  }
}

/** The same request ID for all calls and attempts that belong together, and a new span ID for each attempt. */
function traceHeaders(requestId: string | undefined): Record<string, string> {
  if (requestId === undefined) return {}
  const spanId = randomBytes(8).toString('hex')
  return {
    [REQUEST_ID_HEADER]: requestId,
    [TRACEPARENT_HEADER]: `00-${requestId}-${spanId}-01`,
  }
}

/**
 * Whether a failed create may be sent again, after a look at the newest links if it may have created the
 * link. After a timeout, the service may still be at work.
 */
function mayBeSentAgain(error: LinkServiceError): boolean {
  if (!error.mayHaveHappened) return error.retryable
  return error instanceof NetworkError || (error instanceof ApiError && error.status === 502)
}

function isConflict(error: LinkServiceError): boolean {
  return error instanceof ApiError && error.status === 409
}
