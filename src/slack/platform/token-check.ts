import type { Logger } from 'pino'
import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api'
import type { Clock } from '../../timing/clock.ts'
import { isTemporary, retryAfterMs, slackErrorCode } from './slack-client.ts'

/** The pauses between tries to reach Slack double from the shortest to the longest, in milliseconds. */
const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

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
 * Makes the first call with a token. Only Slack's own refusal ends it: if Slack can't be reached, has a
 * problem or limits the app's requests, the call is made again after a pause, and the log says why.
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
  for (let failures = 1; ; failures++) {
    try {
      return await unlessStopped(stopping, call())
    } catch (error) {
      stopping?.throwIfAborted()
      const reason = tokenProblem(error, { variable, apiUrl })
      if (isRefusal(error)) throw new Error(reason, { cause: error })
      const pauseMs = Math.max(retryAfterMs(error) ?? 0, growingPauseMs(failures, clock))
      logger.warn({ reason, pauseMs }, 'the app can’t answer Slack yet; it keeps trying')
      onWaiting?.()
      await clock.sleep(pauseMs, stopping)
    }
  }
}

/** Rejects as soon as the app stops. The call itself goes on. */
async function unlessStopped<T>(stopping: AbortSignal | undefined, call: Promise<T>): Promise<T> {
  if (!stopping) return call
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(stopping.reason as Error)
  stopping.addEventListener('abort', stop, { once: true })
  if (stopping.aborted) stop()
  try {
    return await Promise.race([call, stopped])
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}

/** Whether Slack itself said no. A proxy or a network that answers in its place says nothing about a token. */
function isRefusal(error: unknown): boolean {
  return slackErrorCode(error) !== undefined && !isTemporary(error)
}

/** A random pause, so that not every app of a deployment comes back at the same moment. */
export function growingPauseMs(failures: number, clock: Pick<Clock, 'random'>): number {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** (failures - 1))
  return Math.round(pauseMs * (0.5 + clock.random() / 2))
}

/** Why a call with a token failed, in a sentence. It contains no token. */
export function tokenProblem(
  error: unknown,
  { variable, apiUrl = 'its address' }: { variable: string; apiUrl: string | undefined },
): string {
  if (retryAfterMs(error) !== undefined) return 'Slack limits the app’s requests.'
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
