import { LinkServiceError, type Failure } from '../port/failures.ts'
import { parseRetryAfter } from '../timing/retry.ts'
import { parseJson } from './json.ts'
import type { HttpResponse } from './transport.ts'

const DEFAULT_RETRY_AFTER_MS = 2_000
const MAX_MESSAGE_LENGTH = 500

const RETRYABLE_STATUSES = new Set([502, 503, 504])

/** After these statuses, the service might have done what was asked: perhaps only the response got lost. */
const UNCERTAIN_STATUSES = new Set([500, 502, 504])

/** The parts of an error response that a driver reads. If there is no failure among them, the HTTP status determines it. */
export interface ErrorDetails {
  failure?: Failure | undefined
  message?: string | undefined
  code?: string | undefined
  /** Whether our own text says everything that `message` says. */
  isClear?: boolean
}

/** A service might repeat the API key in an error, so the JSON that `readError` receives does not contain it. */
export function failedResponse(
  response: HttpResponse,
  readError: (json: unknown) => ErrorDetails,
  { apiKey, now }: { apiKey: string; now: number },
): LinkServiceError {
  const { status } = response
  const { failure, message, code, isClear = false } = readError(parseJson(response.text, apiKey))
  const found = failure ?? failureOfStatus(response, now)
  const words = message?.trim().slice(0, MAX_MESSAGE_LENGTH) || undefined
  return new LinkServiceError(words ?? defaultMessage(status), {
    failure: found,
    retryable: found.kind === 'busy' || (found.kind === 'failed' && RETRYABLE_STATUSES.has(status)),
    mayHaveHappened: found.kind === 'failed' && UNCERTAIN_STATUSES.has(status),
    explanation: isClear ? undefined : words,
    status,
    code,
    requestId: readRequestId(response),
  })
}

const FAILURES: Partial<Record<number, Failure>> = {
  400: { kind: 'invalid', fields: {} },
  401: { kind: 'unauthorized' },
  403: { kind: 'forbidden' },
  404: { kind: 'wrong_address' },
  409: { kind: 'conflict' },
  422: { kind: 'invalid', fields: {} },
}

function failureOfStatus(response: HttpResponse, now: number): Failure {
  const { status } = response
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(response.header('retry-after'), now)
    return { kind: 'busy', retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS }
  }
  if (status < 400) return { kind: 'wrong_address', redirects: true }
  return FAILURES[status] ?? { kind: status < 500 ? 'refused' : 'failed' }
}

function defaultMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The link service redirects to another address (${status}). Its configured URL might be wrong.`
    : `The link service responded with ${status} and no explanation.`
}

/** Ignores an ID that is long or not printable, because it is logged. */
function readRequestId(response: HttpResponse): string | undefined {
  const id = response.header('x-request-id')
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined
}
