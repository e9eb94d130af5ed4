import {
  SlackError,
  WebAPIHTTPError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api'
import type { Logger } from 'pino'
import { unlessAborted, type Clock } from '../../timing/clock.ts'
import { backoffMs, retry, type Backoff } from '../../timing/retry.ts'
import { asObject } from '../../values/unknown-values.ts'

/** Slack didn't respond in time. The call might have taken effect anyway, or might still do so. */
export class SlackTimeoutError extends Error {
  constructor(ms: number) {
    super(`Slack did not answer within ${ms} ms`)
    this.name = 'SlackTimeoutError'
  }
}

export function isTimeout(error: unknown): boolean {
  // web-api puts the error that our `fetch` throws into `cause`.
  return error instanceof Error && error.cause instanceof SlackTimeoutError
}

function errorBody(error: unknown): Record<string, unknown> {
  return asObject(error instanceof Error && 'data' in error ? error.data : undefined)
}

/** Reads Slack's error code, such as `channel_not_found`, from a failed call. */
export function slackErrorCode(error: unknown): string | undefined {
  const { error: code } = errorBody(error)
  return typeof code === 'string' ? code : undefined
}

export function slackMessages(error: unknown): readonly string[] {
  const { messages } = asObject(errorBody(error)['response_metadata'])
  return Array.isArray(messages) ? messages.map(String) : []
}

const TEMPORARY_CODES = [
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
]

/** True if the same call might succeed later, because Slack couldn't be reached, failed, or rate-limits the app. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof WebAPIHTTPError) return error.statusCode >= 500
  return (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIRateLimitedError ||
    TEMPORARY_CODES.includes(slackErrorCode(error) ?? '')
  )
}

/** True if the same call would fail again. A response without an error code isn't a refusal: a proxy might send it. */
export function isRefusal(error: unknown): boolean {
  return slackErrorCode(error) !== undefined && !isTemporary(error)
}

const MIN_RATE_LIMIT_WAIT_MS = 500 // Slack would refuse an earlier retry.

export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof WebAPIRateLimitedError)) return undefined
  return Math.max(error.retryAfter * 1_000, MIN_RATE_LIMIT_WAIT_MS)
}

const RECONNECT_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 }

export interface StartOptions {
  clock: Clock
  logger: Logger
  stopping?: AbortSignal | undefined
  /** Called with a problem after each failed call that connects the app, and with undefined once one succeeds. */
  onSlackProblem?: ((variable: string, problem: string | undefined) => void) | undefined
}

/**
 * Repeats a call that connects the app to Slack until it succeeds, or until the app stops. A refused token doesn't end
 * the process: Slack might accept it later, and meanwhile the process serves short URLs.
 */
export async function untilSlackAccepts<T>(
  call: () => Promise<T>,
  options: StartOptions & { variable: string; apiUrl: string | undefined },
): Promise<T> {
  const { variable, clock, logger, stopping, onSlackProblem } = options
  let attempts = 0
  const waitAfter = (error: unknown, failures: number): number => {
    stopping?.throwIfAborted()
    const reason = tokenProblem(error, options)
    const pauseMs = reconnectMs(error, failures, clock)
    logger.error({ reason, pauseMs }, 'the app can’t answer Slack; it keeps trying')
    onSlackProblem?.(variable, reason)
    return pauseMs
  }
  const result = await retry({ clock, waitAfter, signal: stopping }, () => {
    attempts++
    return stopping ? unlessAborted(stopping, call()) : call()
  })
  onSlackProblem?.(variable, undefined)
  if (attempts > 1) logger.info({ variable }, 'Slack accepts the token; the app can answer again')
  return result
}

export function reconnectMs(error: unknown, failures: number, clock: Pick<Clock, 'random'>) {
  return backoffMs(RECONNECT_BACKOFF, failures, clock.random(), retryAfterMs(error))
}

function tokenProblem(
  error: unknown,
  { variable, apiUrl = 'its address' }: { variable: string; apiUrl: string | undefined },
): string {
  if (retryAfterMs(error) !== undefined) return 'Slack is rate-limiting the app.'
  const code = slackErrorCode(error)
  if (code && isTemporary(error)) return `Slack failed (${code}).`
  if (code) return `Slack does not accept ${variable} (${code}). npm run doctor says what to do.`
  if (error instanceof WebAPIHTTPError) return `Slack failed (HTTP status ${error.statusCode}).`
  if (error instanceof WebAPIRequestError) return `Slack can’t be reached at ${apiUrl}.`
  return error instanceof SlackError
    ? `Slack’s response at ${apiUrl} can’t be understood.`
    : `The connection to Slack failed (${String(error)}).`
}
