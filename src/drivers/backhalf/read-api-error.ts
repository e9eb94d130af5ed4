import { z } from 'zod'
import { updateRequest } from '../../contract/link-requests.ts'
import { listQuery } from '../../contract/list-query.ts'
import { parseRetryAfter } from '../../timing/retry.ts'
import {
  ApiError,
  LinkGoneError,
  RateLimitedError,
  StaleEditError,
  type ApiErrorInit,
} from '../../port/failures.ts'
import { isObject, parseJson } from '../../client/json.ts'
import type { HttpResponse } from '../../client/transport.ts'

/** The wait after a 429 that has no Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 2_000

/** The longest message that is passed on, in characters. */
const MAX_MESSAGE_LENGTH = 500

/** The error envelope (spec §7). Each member is optional, because another service may omit it. */
const receivedEnvelope = z.object({
  error: z.object({
    message: z.string().trim().min(1).optional().catch(undefined),
    code: z.string().max(100).optional().catch(undefined),
    details: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
})

/**
 * Turns an error response into an error.
 *
 * @param options.apiKey hidden in the error if the service repeats it
 * @param options.now milliseconds since 1970
 * @param options.isAboutLink whether the request was about a single link. Then a 412 means that the link has changed, and
 *   a 404 or 410 that it is gone, unless the answer is the page of a proxy
 */
export function readApiError(
  response: HttpResponse,
  { apiKey, now, isAboutLink = false }: { apiKey: string; now: number; isAboutLink?: boolean },
): ApiError {
  const { status } = response
  const error = receivedEnvelope.safeParse(parseJson(response.text, apiKey)).data?.error
  const init: ApiErrorInit = {
    status,
    message: error?.message?.slice(0, MAX_MESSAGE_LENGTH),
    code: error?.code,
    details: error?.details,
    fieldMessages: fieldMessages(error?.details ?? {}),
    requestId: requestIdOf(response),
  }
  if (isAboutLink && error && (status === 404 || status === 410)) return new LinkGoneError(init)
  if (isAboutLink && status === 412) return new StaleEditError(init)
  if (status !== 429) return new ApiError(init)
  const retryAfterMs = parseRetryAfter(response.header('retry-after'), now)
  return new RateLimitedError(init, retryAfterMs ?? DEFAULT_RETRY_AFTER_MS)
}

/** Ignores an id that is long or not printable, because it is logged. */
function requestIdOf(response: HttpResponse): string | undefined {
  const id = response.header('x-request-id')
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined
}

/** The fields of the API. If `details` itself is keyed by field, only these names count. */
const KNOWN_FIELDS = new Set([...Object.keys(updateRequest.shape), ...Object.keys(listQuery.shape)])

const MAX_FIELDS = 20
const MAX_MESSAGES = 10
const MAX_NAME_LENGTH = 100
const MAX_FIELD_MESSAGE_LENGTH = 300

/**
 * Extracts messages about single fields from an error's `details`. The specification leaves their
 * shape open (spec §7), so the common shapes are read: `{title: "…"}`, `{fields: {title: "…"}}` (or
 * `errors`), a list of messages instead of one, and `{errors: [{field: "title", message: "…"}]}`.
 */
export function fieldMessages(details: Record<string, unknown>): Record<string, string> {
  const topLevel = Object.entries(details).filter(([name]) => KNOWN_FIELDS.has(name))
  const nested = [details['fields'], details['errors']].flatMap(entriesOf)
  const messages = [...topLevel, ...nested].flatMap(([name, value]) => {
    const message = messageOf(value)
    const isNamed = name !== '' && name.length <= MAX_NAME_LENGTH
    return isNamed && message ? [[name, message.slice(0, MAX_FIELD_MESSAGE_LENGTH)] as const] : []
  })
  return Object.fromEntries(messages.slice(0, MAX_FIELDS))
}

function entriesOf(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown): [string, unknown][] =>
      isObject(item) && typeof item['field'] === 'string' ? [[item['field'], item]] : [],
    )
  }
  return isObject(value) ? Object.entries(value) : []
}

function messageOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) {
    return joinMessages(value.slice(0, MAX_MESSAGES).filter((item) => typeof item === 'string'))
  }
  return isObject(value) && typeof value['message'] === 'string' ? value['message'].trim() : ''
}

/** Joins messages so that each remains recognizable: not every service writes sentences. */
export function joinMessages(messages: readonly string[]): string {
  return messages
    .map((message) => message.trim())
    .filter(Boolean)
    .reduce((all, next) => (all ? `${all}${/[.!?…]$/.test(all) ? '' : ';'} ${next}` : next), '')
}
