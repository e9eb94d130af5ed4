import type { CreateRequest } from '../contract/create-request.ts'
import {
  API_KEY_HEADER,
  CREATE_PATH,
  IDEMPOTENCY_KEY_HEADER,
  LIST_PATH,
} from '../contract/endpoints.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import { readCreated, readJson } from './answers.ts'
import { parseBaseUrl } from './base-url.ts'
import { ApiError } from './errors/api-error.ts'
import { LinkServiceError } from './errors/link-service-error.ts'
import { readLinkPage, type LinkPage } from './link-page.ts'
import { encodeCreateRequest } from './multipart.ts'
import { findOwnLink } from './own-link.ts'
import { readApiError } from './read-api-error.ts'
import { systemClock, withRetries, type Clock } from './retry.ts'
import type { Incoming, Outgoing, Transport } from './transport.ts'

export type { LinkPage, ListedLink } from './link-page.ts'

/**
 * Calls a link service with one API key. Whatever fails at the service or on the way there is a
 * LinkServiceError; a caller who aborts gets the signal's reason.
 */
export interface LinkClient {
  /**
   * Creates a shortlink (spec §4.1). Failures that pass are retried. Where an earlier try may have
   * made the link, a service that ignores the idempotency key answers 409 to the next one: then
   * that link is found and returned.
   *
   * @param options.idempotencyKey the same for every delivery of one and the same wish
   * @throws LinkServiceError; ZodError for a request that breaks the contract
   */
  create(
    request: CreateRequest,
    options: { idempotencyKey: string; signal?: AbortSignal },
  ): Promise<Shortlink>
  /** One page of the key's shortlinks (spec §4.2); the first ten unless asked otherwise. */
  list(query?: Partial<ListQuery>, options?: { signal?: AbortSignal }): Promise<LinkPage>
}

/** Which service, with which key, and how patiently. */
export interface LinkClientOptions {
  transport: Transport
  /** The service's {base_url}; it may carry a path. */
  baseUrl: string
  apiKey: string
  /** For one call with all its retries, in milliseconds. */
  deadlineMs?: number
  /** How often a call is tried at most. */
  tries?: number
  clock?: Clock
}

/**
 * Cheap: make one wherever a key is at hand. The connections are the transport's.
 *
 * @throws TypeError for an address that can't be one
 */
export function createLinkClient({
  transport,
  baseUrl,
  apiKey,
  deadlineMs = 20_000,
  tries = 4,
  clock = systemClock,
}: LinkClientOptions): LinkClient {
  const base = parseBaseUrl(baseUrl)

  async function send(path: string, outgoing: Omit<Outgoing, 'url'>): Promise<Incoming> {
    const headers = { accept: 'application/json', ...outgoing.headers, [API_KEY_HEADER]: apiKey }
    const answer = await transport.send({ ...outgoing, url: base + path, headers })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw readApiError(answer, { apiKey, now: clock.now() })
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
    const answer = await send(path, { method: 'GET', headers: {}, signal })
    return readLinkPage(readJson(answer), { status: answer.status, page, perPage })
  }

  return {
    async create(request, { idempotencyKey, signal: caller }) {
      const { body, headers } = encodeCreateRequest(request)
      /** An earlier try's failure that leaves open whether it made the link. */
      let unsure: LinkServiceError | undefined

      const createOnce = async (signal: AbortSignal): Promise<Shortlink> => {
        try {
          const answer = await send(CREATE_PATH, {
            method: 'POST',
            headers: { ...headers, [IDEMPOTENCY_KEY_HEADER]: idempotencyKey },
            body,
            signal,
          })
          return readCreated(answer)
        } catch (error) {
          if (unsure && error instanceof ApiError && error.status === 409) {
            const own = await findOwnLink(error, request, (query) => listOnce(query, signal))
            if (own) return own
          }
          if (error instanceof LinkServiceError && error.mayHaveHappened) unsure = error
          throw error
        }
      }
      try {
        return await withRetries(createOnce, { clock, deadlineMs, tries, signal: caller })
      } catch (error) {
        // A last try that certainly made no link does not undo an earlier one that may have.
        const passing = error instanceof LinkServiceError && error.retryable
        throw passing ? (unsure ?? error) : error
      }
    },

    list: (query = {}, { signal: caller } = {}) =>
      withRetries((signal) => listOnce(query, signal), {
        clock,
        deadlineMs,
        tries,
        signal: caller,
      }),
  }
}
