import { LinkServiceError } from './link-service-error.ts'

/** What the service said, as far as it could be read (spec §7). */
export interface ApiFault {
  /** The status of the answer; the envelope's status_code is not trusted over it. */
  status: number
  message: string
  /** Machine-readable; undefined where the answer was no error envelope. */
  code?: string | undefined
  details?: Record<string, unknown> | undefined
  /** By field of the request. */
  fieldMessages?: Record<string, string> | undefined
  /** The service's X-Request-Id, to find the call in its logs. */
  requestId?: string | undefined
}

/** Failures on the way (a proxy's mostly) that pass by themselves. */
const PASSING = new Set([429, 502, 503, 504])

/** After these the service may have done what it was asked to: only the answer is missing. */
const UNSURE = new Set([500, 502, 504])

/** The service answered, but not with success. */
export class ApiError extends LinkServiceError {
  readonly status: number
  readonly code: string | undefined
  readonly details: Record<string, unknown>
  /** What is wrong with single fields of the request, where the service says so. */
  readonly fieldMessages: Record<string, string>
  readonly requestId: string | undefined

  constructor({ status, message, code, details, fieldMessages, requestId }: ApiFault) {
    super(message, { retryable: PASSING.has(status), mayHaveHappened: UNSURE.has(status) })
    this.status = status
    this.code = code
    this.details = details ?? {}
    this.fieldMessages = fieldMessages ?? {}
    this.requestId = requestId
  }
}
