import type { LinkServiceCall } from '../metrics/app-metrics.ts'
import type { ListedLink } from './links.ts'

/**
 * Why a call to the link service failed. The app decides by its kind what to tell the user, and whether to try again.
 */
export type Failure =
  | { kind: 'unauthorized' }
  /** The API key lacks a permission. Another key might have it. */
  | { kind: 'not_permitted' }
  /** The account has reached a limit, such as the number of links in a month. */
  | { kind: 'quota' }
  /** Refused without a reason that a program understands. */
  | { kind: 'forbidden' }
  | { kind: 'duplicate'; link?: ListedLink | undefined }
  | { kind: 'back_half_taken'; deletedAt?: number | undefined }
  /** The request conflicts with an existing link, or with the link's own state. */
  | { kind: 'conflict' }
  | { kind: 'invalid'; fields: Readonly<Record<string, string>> }
  | { kind: 'gone'; deletedAt?: number | undefined }
  | { kind: 'changed' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'refused' }
  | { kind: 'wrong_address'; redirects?: boolean }
  | { kind: 'failed' }
  | { kind: 'unreachable' }
  | { kind: 'timeout'; phase: TimeoutPhase }
  | { kind: 'unreadable' }
  /**
   * The response to a create got lost, and `link` has the same destination. This create or an earlier one created it.
   */
  | { kind: 'uncertain'; link: ListedLink }

export type FailureKind = Failure['kind']
type FailureOf<Kind extends FailureKind> = Extract<Failure, { kind: Kind }>

type LinkServiceErrorOptions = Pick<LinkServiceError, 'failure'> &
  Partial<Omit<LinkServiceError, 'call' | 'name' | 'message' | 'stack'>>

/**
 * Thrown if a call to the link service fails. It can be logged: neither it nor its cause contains the API key, a
 * header, a body or a URL with a query.
 */
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

/** What took too long: a phase of a request, or the whole operation (`total`, or `unsent` before the request). */
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

/**
 * Joins messages: `It is too long` and `Use letters.` → `It is too long; Use letters.` The semicolon separates messages
 * that don't end like a sentence.
 */
export function joinMessages(messages: readonly string[]): string {
  return messages
    .map((message) => message.trim())
    .filter(Boolean)
    .reduce((all, next) => (all ? `${all}${/[.!?…]$/.test(all) ? '' : ';'} ${next}` : next), '')
}
