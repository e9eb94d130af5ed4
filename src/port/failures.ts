import type { Shortlink } from '../contract/shortlink.ts'
import type { LinkServiceCall } from '../metrics/app-metrics.ts'

/** What a caller needs to know about a failed call, besides the message. */
interface LinkServiceErrorOptions {
  /** Whether the same call may succeed if it is repeated. */
  retryable: boolean
  /** Whether the link service may have done what was asked for although the call failed. */
  mayHaveHappened: boolean
  cause?: unknown
}

/**
 * A call to the link service that failed. Neither the error nor its cause contains the API key, a
 * header, a body or a URL with a query, so it may be logged.
 */
export abstract class LinkServiceError extends Error {
  readonly retryable: boolean
  readonly mayHaveHappened: boolean
  /** The call that failed. The client sets it. */
  call?: LinkServiceCall

  constructor(message: string, { retryable, mayHaveHappened, cause }: LinkServiceErrorOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.retryable = retryable
    this.mayHaveHappened = mayHaveHappened
  }
}

/** An error response of the service, as far as it could be read (spec §7). */
export interface ApiErrorInit {
  /** The HTTP status, which takes precedence over the envelope's status_code. */
  status: number
  /** The service's own words; undefined if the response has no message. */
  message?: string | undefined
  /** Machine-readable. Undefined if the response was not an error envelope. */
  code?: string | undefined
  details?: Record<string, unknown> | undefined
  /** Messages about single fields of the request, by field name. */
  fieldMessages?: Record<string, string> | undefined
  /** The service's X-Request-Id, to find the call in its logs. */
  requestId?: string | undefined
}

/** Temporary failures, mostly of a proxy. */
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504])

/** After these the service may have created the link: perhaps only the response got lost. */
const UNCERTAIN_STATUSES = new Set([500, 502, 504])

export class ApiError extends LinkServiceError {
  readonly status: number
  /** The service's own words; undefined if the response has no message. Then the error's message is ours. */
  readonly explanation: string | undefined
  readonly code: string | undefined
  readonly details: Record<string, unknown>
  readonly fieldMessages: Record<string, string>
  readonly requestId: string | undefined

  constructor({ status, message, code, details, fieldMessages, requestId }: ApiErrorInit) {
    super(message ?? defaultMessage(status), {
      retryable: RETRYABLE_STATUSES.has(status),
      mayHaveHappened: UNCERTAIN_STATUSES.has(status),
    })
    this.status = status
    this.explanation = message
    this.code = code
    this.details = details ?? {}
    this.fieldMessages = fieldMessages ?? {}
    this.requestId = requestId
  }
}

/** Used if the response contains no message, for example if it is a proxy's HTML page. */
function defaultMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The link service redirects to another address (${status}). Its configured URL may be wrong.`
    : `The link service responded with ${status} and no explanation.`
}

/** There is no such link, or not anymore (404 or 410 for a single link). */
export class LinkGoneError extends ApiError {}

/** The link has changed since it was read (412), so the edit or the deletion was not done. */
export class StaleEditError extends ApiError {}

/** The service received too many requests (429, spec §8). */
export class RateLimitedError extends ApiError {
  /** How long to wait, in milliseconds, from the service's Retry-After. */
  readonly retryAfterMs: number

  constructor(init: ApiErrorInit, retryAfterMs: number) {
    super(init)
    this.retryAfterMs = retryAfterMs
  }
}

/** There was no response: the service was unreachable, or the connection broke. */
export class NetworkError extends LinkServiceError {
  /** The error code of the system or of undici, for example ECONNREFUSED. */
  readonly code: string

  constructor(code: string, { reached, cause }: { reached: boolean; cause?: unknown }) {
    super(
      reached
        ? `The connection to the link service broke before the response was complete (${code}).`
        : `The link service could not be reached (${code}).`,
      { retryable: true, mayHaveHappened: reached, cause },
    )
    this.code = code
  }
}

/**
 * What took too long: one phase of a request, or the whole operation with all its calls. `unsent` means that
 * the operation's time ran out before the request was sent.
 */
export type TimeoutPhase = 'unsent' | 'connect' | 'headers' | 'body' | 'total'

const TIMEOUT_MESSAGES: Record<TimeoutPhase, string> = {
  unsent: 'The time ran out before the link service could be asked.',
  connect: 'The link service did not accept the connection in time.',
  headers: 'The link service did not start to respond in time.',
  body: 'The link service started to respond but did not finish in time.',
  total: 'The link service did not respond within the time allowed.',
}

export class TimeoutError extends LinkServiceError {
  readonly phase: TimeoutPhase

  constructor(phase: TimeoutPhase, cause?: unknown) {
    super(TIMEOUT_MESSAGES[phase], {
      retryable: phase !== 'total' && phase !== 'unsent',
      mayHaveHappened: phase !== 'connect' && phase !== 'unsent',
      cause,
    })
    this.phase = phase
  }
}

/** The service reported success, but its response is not what the specification describes. */
export class ResponseShapeError extends LinkServiceError {
  /** @param found what the response contained instead, as a noun phrase */
  constructor(status: number, found: string, cause?: unknown) {
    super(`The link service responded with ${status} and ${found}.`, {
      retryable: false,
      mayHaveHappened: true,
      cause,
    })
  }
}

/**
 * The response to a create got lost, and now the service lists a link to the same destination. It may be
 * the link that the create made, or an older one.
 */
export class LinkExistsError extends LinkServiceError {
  readonly link: Shortlink

  /** @param cause the failure of the create */
  constructor(link: Shortlink, cause: unknown) {
    super('A response got lost, and there is a link to the same destination.', {
      retryable: false,
      mayHaveHappened: true,
      cause,
    })
    this.link = link
  }
}
