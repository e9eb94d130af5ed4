import type { Logger } from 'pino'
import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api'
import type { Clock } from '../../client/clock.ts'
import { isTemporary, retryAfterMs, slackErrorCode, waitOutRateLimit } from './slack-client.ts'

/** How long the start waits for Slack in total, in milliseconds, if Slack limits the app's requests. */
const MAX_WAIT_MS = 120_000

/**
 * Makes the first call with a token. If Slack limits the app's requests, waits as long as Slack asks for.
 *
 * @param variable the environment variable that holds the token
 * @throws an Error for the person who runs the app. It says whether Slack refuses the token, limits the
 *   app's requests, has a problem or can't be reached
 */
export async function checkToken<T>(
  call: () => Promise<T>,
  {
    variable,
    apiUrl,
    clock,
    logger,
  }: { variable: string; apiUrl: string | undefined; clock: Clock; logger: Logger },
): Promise<T> {
  const onWait = (waitMs: number): void =>
    logger.warn({ waitMs }, 'Slack limits the app’s requests; the start waits')
  try {
    return await waitOutRateLimit(clock, call, MAX_WAIT_MS, onWait)
  } catch (error) {
    throw new Error(tokenProblem(error, { variable, apiUrl }), { cause: error })
  }
}

/** Why a call with a token failed, in a sentence. It contains no token. */
export function tokenProblem(
  error: unknown,
  { variable, apiUrl = 'its address' }: { variable: string; apiUrl: string | undefined },
): string {
  const waitMs = retryAfterMs(error)
  if (waitMs !== undefined) {
    return `Slack limits the app’s requests. Try again in ${Math.ceil(waitMs / 1000)} seconds.`
  }
  const code = slackErrorCode(error)
  if (code && isTemporary(error)) {
    return `Slack has a problem of its own (${code}). Try again in a minute.`
  }
  if (code) return `Slack does not accept ${variable} (${code}).`
  if (error instanceof WebAPIHTTPError) {
    return `Slack has a problem of its own (HTTP status ${error.statusCode}). Try again in a minute.`
  }
  return error instanceof WebAPIRequestError
    ? `Slack can’t be reached at ${apiUrl}.`
    : `Slack’s answer at ${apiUrl} can’t be understood.`
}
