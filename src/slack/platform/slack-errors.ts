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

/** Thrown if Slack doesn't respond in time. Slack might have done what it was asked for, or might still do it. */
export class SlackTimeoutError extends Error {
  constructor(ms: number) {
    super(`Slack did not answer within ${ms} ms`)
    this.name = 'SlackTimeoutError'
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof SlackTimeoutError
}

function failedResponse(error: unknown): Record<string, unknown> {
  return asObject(error instanceof Error && 'data' in error ? error.data : undefined)
}

export function slackErrorCode(error: unknown): string | undefined {
  const { error: code } = failedResponse(error)
  return typeof code === 'string' ? code : undefined
}

export function slackMessages(error: unknown): readonly string[] {
  const { messages } = asObject(failedResponse(error)['response_metadata'])
  return Array.isArray(messages) ? messages.map(String) : []
}

const TEMPORARY_CODES = [
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
]

/** True if another attempt might succeed, because Slack couldn't be reached, rate-limits the app or failed. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof WebAPIHTTPError) return error.statusCode >= 500
  return (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIRateLimitedError ||
    TEMPORARY_CODES.includes(slackErrorCode(error) ?? '')
  )
}

/**
 * True if Slack would refuse the same call again, for example because its user has left. An error response without one
 * of Slack's codes doesn't count, because it might come from a proxy.
 */
export function isRefusal(error: unknown): boolean {
  return slackErrorCode(error) !== undefined && !isTemporary(error)
}

/** After a shorter wait, Slack would refuse the call again. */
const MIN_RATE_LIMIT_WAIT_MS = 500

export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof WebAPIRateLimitedError)) return undefined
  return Math.max(error.retryAfter * 1_000, MIN_RATE_LIMIT_WAIT_MS)
}

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 }

export interface StartOptions {
  clock: Clock
  logger: Logger
  stopping?: AbortSignal | undefined
  /** Called after each failure, and with undefined once Slack accepts the token in this environment variable. */
  onSlackProblem?: ((variable: string, problem: string | undefined) => void) | undefined
}

/**
 * Repeats a call that connects the app to Slack until it succeeds. A refused token doesn't end the process, because
 * Slack might accept the token later, and because short URLs work without Slack.
 * @throws only the signal's reason, if the app stops
 */
export async function untilSlackAccepts<T>(
  call: () => Promise<T>,
  options: StartOptions & { variable: string; apiUrl: string | undefined },
): Promise<T> {
  const { variable, clock, logger, stopping, onSlackProblem } = options
  let calls = 0
  const waitAfter = (error: unknown, failures: number): number => {
    stopping?.throwIfAborted()
    const reason = tokenProblem(error, options)
    const pauseMs = reconnectMs(error, failures, clock)
    logger.error({ reason, pauseMs }, 'the app can’t answer Slack; it keeps trying')
    onSlackProblem?.(variable, reason)
    return pauseMs
  }
  const result = await retry({ clock, waitAfter, signal: stopping }, () => {
    calls++
    return stopping ? unlessAborted(stopping, call()) : call()
  })
  onSlackProblem?.(variable, undefined)
  if (calls > 1) logger.info({ variable }, 'Slack accepts the token; the app can answer again')
  return result
}

export function reconnectMs(
  error: unknown,
  failures: number,
  clock: Pick<Clock, 'random'>,
): number {
  return backoffMs(BACKOFF, failures, clock.random(), retryAfterMs(error))
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
