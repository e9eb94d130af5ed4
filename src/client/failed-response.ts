import { LinkServiceError, type Failure } from '../port/failures.ts'
import { parseRetryAfter } from '../timing/retry.ts'
import type { HttpResponse } from './transport.ts'

/** The wait after a 429 that has no Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 2_000

/** The longest message that is passed on, in characters. */
const MAX_MESSAGE_LENGTH = 500

/** Temporary failures, mostly of a proxy. */
const RETRYABLE_STATUSES = new Set([502, 503, 504])

/** After these the service may have done what was asked for: perhaps only the response got lost. */
const UNCERTAIN_STATUSES = new Set([500, 502, 504])

interface FailedResponse {
  /** By default, what the HTTP status means anywhere. */
  failure?: Failure | undefined
  /** The service's own words. */
  message?: string | undefined
  code?: string | undefined
  /** Whether our text says all that the service's words say. */
  isClear?: boolean
  /** Milliseconds since 1970. */
  now: number
}

/** Turns an error response into an error. */
export function failedResponse(
  response: HttpResponse,
  { failure, message, code, isClear = false, now }: FailedResponse,
): LinkServiceError {
  const { status } = response
  const found = failure ?? failureOfStatus(response, now)
  const words = message?.trim().slice(0, MAX_MESSAGE_LENGTH) || undefined
  return new LinkServiceError(words ?? defaultMessage(status), {
    failure: found,
    retryable: found.kind === 'busy' || (found.kind === 'failed' && RETRYABLE_STATUSES.has(status)),
    mayHaveHappened: found.kind === 'failed' && UNCERTAIN_STATUSES.has(status),
    explanation: isClear ? undefined : words,
    status,
    code,
    requestId: requestIdOf(response),
  })
}

function failureOfStatus(response: HttpResponse, now: number): Failure {
  const { status } = response
  switch (status) {
    case 400:
    case 422:
      return { kind: 'invalid', fields: {} }
    case 401:
      return { kind: 'unauthorized' }
    case 403:
      return { kind: 'forbidden' }
    case 404:
      return { kind: 'wrong_address' }
    case 409:
      return { kind: 'conflict' }
    case 429: {
      const retryAfterMs =
        parseRetryAfter(response.header('retry-after'), now) ?? DEFAULT_RETRY_AFTER_MS
      return { kind: 'busy', retryAfterMs }
    }
    default:
      if (status < 400) return { kind: 'wrong_address', redirects: true }
      return { kind: status < 500 ? 'refused' : 'failed' }
  }
}

/** Used if the response contains no message, for example if it is a proxy's HTML page. */
function defaultMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The link service redirects to another address (${status}). Its configured URL may be wrong.`
    : `The link service responded with ${status} and no explanation.`
}

/** Ignores an id that is long or not printable, because it is logged. */
function requestIdOf(response: HttpResponse): string | undefined {
  const id = response.header('x-request-id')
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined
}
