import { z } from 'zod'
import { updateRequest } from '../../contract/link-requests.ts'
import { listQuery } from '../../contract/list-query.ts'
import { parseRetryAfter } from '../../timing/retry.ts'
import { joinMessages, LinkServiceError, type Failure } from '../../port/failures.ts'
import { isObject, parseJson } from '../../client/json.ts'
import { receivedListedLink, timeOf } from '../../port/links.ts'
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

/** What a request was about, as far as its errors depend on it. */
export interface About {
  /** A single link. Then a 412 means that it has changed, and a 404 or 410 that it is gone, unless a proxy answers. */
  isAboutLink?: boolean
  /** A person. The service has described these calls, so a 404 doesn't mean that it is not there. */
  isAboutPerson?: boolean
  /** What can conflict with another link. Spec §4.1 describes two conflicts, but gives them no codes. */
  mayConflict?: { backHalf: boolean }
}

/** Temporary failures, mostly of a proxy. */
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504])

/** After these the service may have done what was asked for: perhaps only the response got lost. */
const UNCERTAIN_STATUSES = new Set([500, 502, 504])

/** An error response, as far as it could be read. */
interface ApiError {
  status: number
  isEnvelope: boolean
  message: string | undefined
  code: string
  details: Record<string, unknown>
  fields: Record<string, string>
  retryAfterMs: number
}

/**
 * Turns an error response into an error.
 *
 * @param options.apiKey hidden in the error if the service repeats it
 * @param options.now milliseconds since 1970
 */
export function readApiError(
  response: HttpResponse,
  { apiKey, now, ...about }: { apiKey: string; now: number } & About,
): LinkServiceError {
  const { status } = response
  const envelope = receivedEnvelope.safeParse(parseJson(response.text, apiKey)).data?.error
  const details = envelope?.details ?? {}
  const error: ApiError = {
    status,
    isEnvelope: envelope !== undefined,
    message: envelope?.message?.slice(0, MAX_MESSAGE_LENGTH),
    code: envelope?.code ?? '',
    details,
    fields: fieldMessages(details),
    retryAfterMs: parseRetryAfter(response.header('retry-after'), now) ?? DEFAULT_RETRY_AFTER_MS,
  }
  const failure = failureOf(error, about)
  // What these say is clear from their kinds, and our texts name the next step.
  const isClear = CONFLICT_CODES.has(error.code) && failure.kind !== 'conflict'
  return new LinkServiceError(error.message ?? defaultMessage(status), {
    failure,
    retryable: RETRYABLE_STATUSES.has(status),
    mayHaveHappened: UNCERTAIN_STATUSES.has(status),
    explanation: isClear ? undefined : error.message,
    status,
    code: envelope?.code,
    requestId: requestIdOf(response),
  })
}

/** Used if the response contains no message, for example if it is a proxy's HTML page. */
function defaultMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The link service redirects to another address (${status}). Its configured URL may be wrong.`
    : `The link service responded with ${status} and no explanation.`
}

function failureOf(error: ApiError, { isAboutLink, isAboutPerson, mayConflict }: About): Failure {
  const { status, fields, retryAfterMs } = error
  if (isAboutLink && error.isEnvelope && (status === 404 || status === 410)) {
    return { kind: 'gone', deletedAt: deletedAtOf(error) }
  }
  switch (status) {
    case 401:
      return { kind: 'unauthorized' }
    case 403:
      return { kind: refusalKind(error) }
    case 404:
      return { kind: isAboutPerson ? 'refused' : 'wrong_address' }
    case 409:
      return mayConflict ? conflictOf(error, mayConflict) : { kind: 'conflict' }
    case 400:
    case 422:
      return { kind: 'invalid', fields }
    case 412:
      return { kind: isAboutLink ? 'changed' : 'refused' }
    case 429:
      return { kind: 'busy', retryAfterMs }
    default:
      if (status < 400) return { kind: 'wrong_address', redirects: true }
      return { kind: status < 500 ? 'refused' : 'failed' }
  }
}

/** The codes of our own service (docs/link-service.md). */
const CONFLICT_CODES = new Set(['BACK_HALF_CONFLICT', 'DUPLICATE_DESTINATION_URL'])

/**
 * Distinguishes the two conflicts. Without a back-half in the request it can only be a duplicate. Otherwise the
 * error's code decides, or the field that the error names.
 */
function conflictOf(error: ApiError, { backHalf }: { backHalf: boolean }): Failure {
  const isBackHalf = /back_?half/i.test(error.code) || 'back_half' in error.fields
  const isDuplicate = /destination/i.test(error.code) || 'destination_url' in error.fields
  if (backHalf && isBackHalf === isDuplicate) return { kind: 'conflict' }
  if (backHalf && isBackHalf) return { kind: 'back_half_taken', deletedAt: deletedAtOf(error) }
  const link = receivedListedLink.safeParse(error.details['shortlink']).data
  return { kind: 'duplicate', link }
}

/** When the link that an error is about was deleted, in milliseconds since 1970, if the service says. */
function deletedAtOf({ details: { deleted_at: time } }: ApiError): number | undefined {
  return typeof time === 'string' ? timeOf(time) || undefined : undefined
}

/**
 * Whether a refusal is about what the key may do, or about a limit, which another key doesn't change (spec §4.1).
 * Only the service's code or its words can tell.
 */
function refusalKind({ code, message = '' }: ApiError): 'not_permitted' | 'quota' | 'forbidden' {
  const text = `${code} ${message}`
  if (/limit|quota|exceed|plan\b|upgrade|used up/i.test(text)) return 'quota'
  return /permission|scope|allow|read.?only/i.test(text) ? 'not_permitted' : 'forbidden'
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
