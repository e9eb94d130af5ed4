import type { LinkServiceCall } from '../metrics/app-metrics.ts'
import type { ListedLink } from './links.ts'

/** Why a call to a link service failed. Each driver translates its service's answers into these. */
export type Failure =
  /** The service doesn't accept the key. */
  | { kind: 'unauthorized' }
  /** The key may not do this. Another key may. */
  | { kind: 'not_permitted' }
  /** The account may do no more of this for now, such as in a month. */
  | { kind: 'quota' }
  /** Refused for a reason that the service doesn't say in a way that a program understands. */
  | { kind: 'forbidden' }
  /** The destination already has a link on this domain. `link` is absent if the service doesn't show it. */
  | { kind: 'duplicate'; link?: ListedLink | undefined }
  /** `deletedAt`: when the link that had the back-half was deleted, in milliseconds since 1970. */
  | { kind: 'back_half_taken'; deletedAt?: number | undefined }
  /** The request conflicts with an existing link, or with the link's own state. */
  | { kind: 'conflict' }
  /** `fields`: messages about fields of the request, by name. */
  | { kind: 'invalid'; fields: Readonly<Record<string, string>> }
  /** There is no such link, or not anymore. */
  | { kind: 'gone'; deletedAt?: number | undefined }
  /** The link has changed since it was read, so the edit or the deletion was not done. */
  | { kind: 'changed' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'refused' }
  /** There is no link service at this address. `redirects`: the address leads to another one. */
  | { kind: 'wrong_address'; redirects?: boolean }
  /** The service has a problem of its own. */
  | { kind: 'failed' }
  | { kind: 'unreachable' }
  | { kind: 'timeout'; phase: TimeoutPhase }
  | { kind: 'unreadable' }
  /** The answer to a create got lost. `link` is one to the same destination: the one that the create made, or an older one. */
  | { kind: 'uncertain'; link: ListedLink }

export type FailureKind = Failure['kind']
type FailureOf<Kind extends FailureKind> = Extract<Failure, { kind: Kind }>

interface LinkServiceErrorOptions {
  failure: Failure
  /** Whether the same call may succeed if it is repeated. */
  retryable?: boolean
  /** Whether the link service may have done what was asked for although the call failed. */
  mayHaveHappened?: boolean
  /** The service's own words, if they help a user. */
  explanation?: string | undefined
  /** The HTTP status, to be shown and logged. */
  status?: number | undefined
  code?: string | undefined
  /** The service's ID of the request, to find the call in its logs. */
  requestId?: string | undefined
  cause?: unknown
}

/**
 * A call to a link service that failed. Neither the error nor its cause contains the API key, a header, a body or a URL
 * with a query, so it may be logged.
 */
export class LinkServiceError extends Error {
  readonly failure: Failure
  readonly retryable: boolean
  readonly mayHaveHappened: boolean
  readonly explanation: string | undefined
  readonly status: number | undefined
  readonly code: string | undefined
  readonly requestId: string | undefined
  /** The call that failed. The client sets it. */
  call?: LinkServiceCall

  constructor(message: string, { cause, ...options }: LinkServiceErrorOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.failure = options.failure
    this.retryable = options.retryable ?? false
    this.mayHaveHappened = options.mayHaveHappened ?? false
    this.explanation = options.explanation
    this.status = options.status
    this.code = options.code
    this.requestId = options.requestId
  }
}

/** The key works, but not for this. */
export const FORBIDDEN = ['not_permitted', 'quota', 'forbidden'] as const satisfies FailureKind[]

/** The failure, if the error is a link service's and of one of these kinds. */
export function failureOf<Kind extends FailureKind>(
  error: unknown,
  ...kinds: Kind[]
): FailureOf<Kind> | undefined {
  if (!(error instanceof LinkServiceError)) return undefined
  const { failure } = error
  return (kinds as FailureKind[]).includes(failure.kind) ? (failure as FailureOf<Kind>) : undefined
}

/** There was no response: the service was unreachable, or the connection broke. */
export class NetworkError extends LinkServiceError {
  declare readonly code: string

  /** @param code of the system or of undici, for example ECONNREFUSED */
  constructor(code: string, { reached, cause }: { reached: boolean; cause?: unknown }) {
    super(
      reached
        ? `The connection to the link service broke before the response was complete (${code}).`
        : `The link service could not be reached (${code}).`,
      {
        failure: { kind: 'unreachable' },
        retryable: true,
        mayHaveHappened: reached,
        code,
        cause,
      },
    )
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
  constructor(phase: TimeoutPhase, cause?: unknown) {
    super(TIMEOUT_MESSAGES[phase], {
      failure: { kind: 'timeout', phase },
      retryable: phase !== 'total' && phase !== 'unsent',
      mayHaveHappened: phase !== 'connect' && phase !== 'unsent',
      cause,
    })
  }
}

/** The service reported success, but its response can't be read. */
export class ResponseShapeError extends LinkServiceError {
  /** @param found what the response contained instead, as a noun phrase */
  constructor(status: number, found: string, cause?: unknown) {
    super(`The link service responded with ${status} and ${found}.`, {
      failure: { kind: 'unreadable' },
      mayHaveHappened: true,
      cause,
    })
  }
}

/** Joins messages so that each remains recognizable: not every service writes sentences. */
export function joinMessages(messages: readonly string[]): string {
  return messages
    .map((message) => message.trim())
    .filter(Boolean)
    .reduce((all, next) => (all ? `${all}${/[.!?…]$/.test(all) ? '' : ';'} ${next}` : next), '')
}
