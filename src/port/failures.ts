import type { LinkServiceCall } from '../metrics/app-metrics.ts'
import type { ListedLink } from './links.ts'

/** Why a call to the link service failed. The kind decides what the app tells the user, and whether it tries again. */
export type Failure =
  | { kind: 'unauthorized' }
  /** The API key lacks a permission. Another key might have it. */
  | { kind: 'not_permitted' }
  /** The account has reached a limit, such as the number of links in a month. */
  | { kind: 'quota' }
  /** A 403 that doesn't say whether a permission is missing or a limit is reached. */
  | { kind: 'forbidden' }
  | { kind: 'duplicate'; link?: ListedLink | undefined }
  | { kind: 'back_half_taken'; deletedAt?: number | undefined }
  /** The request conflicts with an existing link, or with the link's own state. */
  | { kind: 'conflict' }
  | { kind: 'invalid'; fields: Readonly<Record<string, string>> }
  | { kind: 'gone'; deletedAt?: number | undefined }
  /** The link has changed since it was read (optimistic locking). */
  | { kind: 'changed' }
  | { kind: 'busy'; retryAfterMs: number }
  /** Another response with a status from 400 to 499. */
  | { kind: 'refused' }
  | { kind: 'wrong_address'; redirects?: boolean }
  /** A response with a status from 500. */
  | { kind: 'failed' }
  | { kind: 'unreachable' }
  | { kind: 'timeout'; phase: TimeoutPhase }
  | { kind: 'unreadable' }
  /** A response got lost. `link` has the requested destination, but might be older than the request. */
  | { kind: 'uncertain'; link: ListedLink }

export type FailureKind = Failure['kind']
type FailureOf<Kind extends FailureKind> = Extract<Failure, { kind: Kind }>

type LinkServiceErrorOptions = Pick<LinkServiceError, 'failure'> &
  Partial<Omit<LinkServiceError, 'call' | 'name' | 'message' | 'stack'>>

/** A failed call. It is safe to log: neither it nor its cause has the API key, a header, a body or a query. */
export class LinkServiceError extends Error {
  readonly failure: Failure
  readonly retryable: boolean
  /** The link service might have made the change although the call failed. */
  readonly mayHaveHappened: boolean
  readonly explanation: string | undefined
  readonly status: number | undefined
  readonly code: string | undefined
  readonly requestId: string | undefined
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

export const CONFLICTS = ['duplicate', 'back_half_taken', 'conflict'] as const
export const FORBIDDEN = ['not_permitted', 'quota', 'forbidden'] as const satisfies FailureKind[]

export function failureOf<Kind extends FailureKind>(
  error: unknown,
  ...kinds: Kind[]
): FailureOf<Kind> | undefined {
  if (!(error instanceof LinkServiceError)) return undefined
  const { failure } = error
  return (kinds as FailureKind[]).includes(failure.kind) ? (failure as FailureOf<Kind>) : undefined
}

export class NetworkError extends LinkServiceError {
  declare readonly code: string

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

/** What took too long: a phase of a request, or the whole operation (`unsent` before the request, `total` after). */
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

export class ResponseShapeError extends LinkServiceError {
  constructor(status: number, found: string, cause?: unknown) {
    super(`The link service responded with ${status} and ${found}.`, {
      failure: { kind: 'unreadable' },
      mayHaveHappened: true,
      cause,
    })
  }
}

/** Joins messages, with a semicolon after one without a period: `It is too long; Use letters.` */
export function joinMessages(messages: readonly string[]): string {
  const trimmed = messages.map((message) => message.trim()).filter(Boolean)
  const separated = trimmed.map((message, index) => {
    const isLast = index === trimmed.length - 1
    return isLast || /[.!?…]$/.test(message) ? message : `${message};`
  })
  return separated.join(' ')
}
