import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api'
import type { Logger } from 'pino'
import { unlessAborted, type Clock } from '../../timing/clock.ts'
import { backoffMs, retry, type Backoff } from '../../timing/retry.ts'
import { isRefusal, isTemporary, retryAfterMs, slackErrorCode } from './slack-errors.ts'

/** Between tries to reach Slack. */
const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 }

/** How the start waits for Slack. */
export interface StartOptions {
  clock: Clock
  logger: Logger
  /** Aborted when the app stops. */
  stopping?: AbortSignal | undefined
  /** Called before each pause. The app may tell its caller that it is waiting. */
  onWaiting?: (() => void) | undefined
}

/**
 * Makes the first call with a token. Only Slack's own refusal ends it: if Slack can't be reached, has a problem or
 * rate-limits the app, the call is made again after a pause, and the log says why.
 *
 * @param variable the environment variable that holds the token
 * @throws an Error for the person who runs the app if Slack refuses the token; the signal's reason if the
 *   app stops
 */
export async function checkToken<T>(
  call: () => Promise<T>,
  {
    variable,
    apiUrl,
    clock,
    logger,
    stopping,
    onWaiting,
  }: StartOptions & { variable: string; apiUrl: string | undefined },
): Promise<T> {
  const waitAfter = (error: unknown, failures: number): number => {
    stopping?.throwIfAborted()
    const reason = tokenProblem(error, { variable, apiUrl })
    if (isRefusal(error)) throw new Error(reason, { cause: error })
    const pauseMs = reconnectMs(error, failures, clock)
    logger.warn({ reason, pauseMs }, 'the app can’t answer Slack yet; it keeps trying')
    onWaiting?.()
    return pauseMs
  }
  return retry({ clock, waitAfter, signal: stopping }, () =>
    stopping ? unlessAborted(stopping, call()) : call(),
  )
}

/** How long to wait before Slack is asked again, in milliseconds. */
export function reconnectMs(
  error: unknown,
  failures: number,
  clock: Pick<Clock, 'random'>,
): number {
  return backoffMs(BACKOFF, failures, clock.random(), retryAfterMs(error))
}

/** Why a call with a token failed, in a sentence. It contains no token. */
export function tokenProblem(
  error: unknown,
  { variable, apiUrl = 'its address' }: { variable: string; apiUrl: string | undefined },
): string {
  if (retryAfterMs(error) !== undefined) return 'Slack is rate-limiting the app.'
  const code = slackErrorCode(error)
  if (code && isTemporary(error)) return `Slack has a problem of its own (${code}).`
  if (code) return `Slack does not accept ${variable} (${code}).`
  if (error instanceof WebAPIHTTPError) {
    return `Slack has a problem of its own (HTTP status ${error.statusCode}).`
  }
  return error instanceof WebAPIRequestError
    ? `Slack can’t be reached at ${apiUrl}.`
    : `Slack’s answer at ${apiUrl} can’t be understood.`
}
