import { LogLevel, type Logger as BoltLogger } from '@slack/bolt'
import {
  WebAPIHTTPError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClientOptions,
} from '@slack/web-api'
import type { Logger } from 'pino'
import { z } from 'zod'
import { NO_LONGER_NEEDED, type Clock } from '../../timing/clock.ts'
import { retry } from '../../timing/retry.ts'
import { createLogLimit } from '../../http/log-limit.ts'

/**
 * Options for every Web API client. Our fetch limits the time and the retries. By itself, web-api would
 * retry ten times in 30 minutes, long after the user has left.
 *
 * @param apiUrl Slack's Web API, ending in a slash
 */
export function slackClientOptions(
  apiUrl: string,
  logger: Logger,
  clock: Pick<Clock, 'sleep'>,
): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    logger: boltLogger(logger),
    fetch: createSlackFetch(clock),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  }
}

/** Log lines that start with the same characters are of one kind. */
const KIND_LENGTH = 40

/** Writes Bolt's and web-api's log lines to our log. */
export function boltLogger(logger: Logger): BoltLogger {
  // Bolt writes a line for each request without a valid signature.
  const limit = createLogLimit(logger)
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: unknown[]): void => {
      const [err] = parts.filter((part) => part instanceof Error)
      const text = parts
        .filter((part) => !(part instanceof Error))
        .map(String)
        .join(' ')
      limit.write(text.slice(0, KIND_LENGTH), () => logger[level]({ ...(err && { err }) }, text))
    }
  return {
    // Debug lines contain whole messages, including an API key that an admin just typed.
    debug: logger.silent,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  }
}

const failedAnswer = z.object({
  error: z.string().optional().catch(undefined),
  response_metadata: z
    .object({ messages: z.array(z.string()) })
    .optional()
    .catch(undefined),
})

function answerOf(error: unknown): z.output<typeof failedAnswer> {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  return failedAnswer.safeParse(data).data ?? {}
}

/** Slack's error code of a failed Web API call, for example `hash_conflict`. */
export function slackErrorCode(error: unknown): string | undefined {
  return answerOf(error).error
}

/** What Slack says about a failed Web API call, besides its code. */
export function slackMessages(error: unknown): readonly string[] {
  return answerOf(error).response_metadata?.messages ?? []
}

/** Slack's codes for temporary failures on its side. */
const TEMPORARY_CODES = [
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
]

/**
 * Whether a call to Slack may succeed if it is made again: Slack can't be reached, limits the app's requests
 * or has a problem of its own. A mistake in our code is not temporary.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof WebAPIHTTPError) return error.statusCode >= 500
  return (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIRateLimitedError ||
    TEMPORARY_CODES.includes(slackErrorCode(error) ?? '')
  )
}

/** How long a call waits in total while Slack limits requests, in milliseconds. */
const MAX_RATE_LIMIT_WAIT_MS = 60_000

/**
 * Makes a call to Slack, and waits as long as Slack's `Retry-After` says before it is made again.
 *
 * @param maxWaitMs how long it may wait in total
 * @throws the error of the last call
 */
export async function waitOutRateLimit<T>(
  clock: Pick<Clock, 'sleep'>,
  call: () => Promise<T>,
  maxWaitMs = MAX_RATE_LIMIT_WAIT_MS,
): Promise<T> {
  let left = maxWaitMs
  const waitAfter = (error: unknown): number | undefined => {
    const ms = retryAfterMs(error)
    if (ms === undefined || ms > left) return undefined
    left -= ms
    return ms
  }
  return retry({ clock, waitAfter }, call)
}

/** The longest Retry-After of Slack that is obeyed between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000

/**
 * Makes an attempt, and makes it again after a pause as long as it fails temporarily. If Slack says how long
 * to wait, it waits as long as that instead.
 *
 * @param pausesMs one for each further attempt
 * @throws the error of the last attempt
 */
export async function tryAgain<T>(
  clock: Pick<Clock, 'sleep'>,
  pausesMs: readonly number[],
  attempt: () => Promise<T>,
): Promise<T> {
  const waitAfter = (error: unknown, failures: number): number | undefined => {
    const pause = pausesMs[failures - 1]
    if (pause === undefined || !isTemporary(error)) return undefined
    return Math.min(retryAfterMs(error) ?? pause, LONGEST_PAUSE_MS)
  }
  return retry({ clock, waitAfter }, attempt)
}

/** The shortest wait, in milliseconds. After a shorter one, Slack would refuse the call again. */
const MIN_RATE_LIMIT_WAIT_MS = 500

/** How long Slack asks to wait after it refused a call, in milliseconds; undefined for other errors. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof WebAPIRateLimitedError)) return undefined
  return Math.max(error.retryAfter * 1_000, MIN_RATE_LIMIT_WAIT_MS)
}

/** How long Slack may take to answer one request, in milliseconds. */
export const SLACK_TIMEOUT_MS = 3_000

/** How long to wait before a failed request is sent again, in milliseconds. */
const RETRY_PAUSES_MS = [300, 1_000]

/** Slack did not answer in time. It may still have done what it was asked for. */
export class SlackTimeoutError extends Error {
  constructor(ms: number) {
    super(`Slack did not answer within ${ms} ms`)
    this.name = 'SlackTimeoutError'
  }
}

/**
 * Runs a request with a signal that aborts when the time is up.
 *
 * @throws SlackTimeoutError
 */
export async function withTimeout<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController()
  const expired = new AbortController()
  clock.sleep(ms, timer.signal).then(
    () => expired.abort(new SlackTimeoutError(ms)),
    () => undefined,
  )
  try {
    return await request(expired.signal)
  } finally {
    timer.abort(NO_LONGER_NEEDED)
  }
}

/**
 * A fetch for requests to Slack, whose answers are short. It sends a request again if the connection breaks
 * or if Slack answers with a 5xx. After a timeout it does not, because the user is waiting.
 *
 * @param retries false for a request that works only once
 */
export function createSlackFetch(
  clock: Pick<Clock, 'sleep'>,
  { retries = true }: { retries?: boolean } = {},
): typeof globalThis.fetch {
  return async (url, init) => {
    const pauses = retries ? [...RETRY_PAUSES_MS] : []
    for (;;) {
      const pause = pauses.shift()
      try {
        const response = await withTimeout(clock, SLACK_TIMEOUT_MS, (signal) =>
          fetchWhole(url, { ...init, signal }),
        )
        if (response.status < 500 || pause === undefined) return response
      } catch (error) {
        if (error instanceof SlackTimeoutError || pause === undefined) throw error
      }
      await clock.sleep(pause)
    }
  }
}

/** Reads the whole body, so that the time limit covers it. */
async function fetchWhole(url: string | URL | Request, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const body = await response.arrayBuffer()
  const { status, statusText, headers } = response
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers })
}
