import type { CreateRequest } from '../contract/create-request.ts'
import {
  API_KEY_HEADER,
  CREATE_PATH,
  IDEMPOTENCY_KEY_HEADER,
  LIST_PATH,
  parseBaseUrl,
} from '../contract/endpoints.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import { systemClock, type Clock } from './clock.ts'
import { findOwnLink } from './conflict.ts'
import { ApiError, LinkServiceError } from './errors.ts'
import { readLinkPage, type LinkPage } from './link-page.ts'
import { encodeCreateRequest } from './multipart.ts'
import { readApiError } from './read-api-error.ts'
import { readCreatedLink, readJson } from './responses.ts'
import { withRetries } from './retry.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

export type { LinkPage, ListedLink } from './link-page.ts'

/**
 * Calls a link service with one API key. Every failure of the service or of the network is a
 * LinkServiceError. A caller who aborts gets the signal's reason.
 */
export interface LinkClient {
  /**
   * Creates a shortlink (spec §4.1) and retries temporary failures. An earlier attempt may have
   * created the link before its response got lost. A service that ignores the idempotency key then
   * rejects the retry with a 409. In that case the link is found and returned.
   *
   * @param options.idempotencyKey the same for every delivery of the same request from Slack
   * @throws LinkServiceError; ZodError if the request violates the contract
   */
  create(
    request: CreateRequest,
    options: { idempotencyKey: string; signal?: AbortSignal },
  ): Promise<Shortlink>
  /** Returns a page of the key's shortlinks (spec §4.2), by default the first ten. */
  list(query?: Partial<ListQuery>, options?: { signal?: AbortSignal }): Promise<LinkPage>
}

export interface LinkClientOptions {
  transport: Transport
  /** The service's {base_url}. It may have a path. */
  baseUrl: string
  apiKey: string
  /** For one call with all its retries, in milliseconds. */
  deadlineMs?: number
  /** How often a call is attempted at most, the first attempt included. */
  maxAttempts?: number
  clock?: Clock
}

/**
 * Creates a client. It is cheap to create one per key, because the transport holds the connections.
 *
 * @throws TypeError if the base URL is invalid
 */
export function createLinkClient({
  transport,
  baseUrl,
  apiKey,
  deadlineMs = 20_000,
  maxAttempts = 4,
  clock = systemClock,
}: LinkClientOptions): LinkClient {
  const base = parseBaseUrl(baseUrl)
  const retry = { clock, deadlineMs, maxAttempts }

  async function send(path: string, request: Omit<HttpRequest, 'url'>): Promise<HttpResponse> {
    const headers = { accept: 'application/json', ...request.headers, [API_KEY_HEADER]: apiKey }
    const response = await transport.send({ ...request, url: base + path, headers })
    if (response.status >= 200 && response.status < 300) return response
    throw readApiError(response, { apiKey, now: clock.now() })
  }

  async function listOnce(query: Partial<ListQuery>, signal: AbortSignal): Promise<LinkPage> {
    const { page = 1, per_page: perPage = 10, sort_by: sortBy, order } = query
    const parameters = new URLSearchParams({
      page: String(page),
      per_page: String(perPage),
      ...(sortBy && { sort_by: sortBy }),
      ...(order && { order }),
    })
    const path = `${LIST_PATH}?${parameters.toString()}`
    const response = await send(path, { method: 'GET', headers: {}, signal })
    return readLinkPage(readJson(response), { status: response.status, page, perPage })
  }

  return {
    async create(request, { idempotencyKey, signal: caller }) {
      const { body, headers } = encodeCreateRequest(request)
      /** The error of an earlier attempt that may have created the link. */
      let uncertain: LinkServiceError | undefined

      const createOnce = async (signal: AbortSignal): Promise<Shortlink> => {
        try {
          const response = await send(CREATE_PATH, {
            method: 'POST',
            headers: { ...headers, [IDEMPOTENCY_KEY_HEADER]: idempotencyKey },
            body,
            signal,
          })
          return readCreatedLink(response)
        } catch (error) {
          if (uncertain && error instanceof ApiError && error.status === 409) {
            const own = await findOwnLink(error, request, (query) => listOnce(query, signal))
            if (own) return own
          }
          if (error instanceof LinkServiceError && error.mayHaveHappened) uncertain = error
          throw error
        }
      }
      try {
        return await withRetries(createOnce, { ...retry, signal: caller })
      } catch (error) {
        // If an earlier attempt may have created the link, the caller must know, even if the last
        // attempt certainly did not.
        const isTemporary = error instanceof LinkServiceError && error.retryable
        throw isTemporary ? (uncertain ?? error) : error
      }
    },

    list: (query = {}, { signal: caller } = {}) =>
      withRetries((signal) => listOnce(query, signal), { ...retry, signal: caller }),
  }
}
