import { LogLevel, type Logger as BoltLogger } from '@slack/bolt'
import type { WebClient, WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import { createTransport, type HttpResponse } from '../../client/transport.ts'
import type { SlackMetrics } from '../../metrics/app-metrics.ts'
import { NO_LONGER_NEEDED, type Clock } from '../../timing/clock.ts'
import { retry } from '../../timing/retry.ts'
import { isTemporary, retryAfterMs, SlackTimeoutError } from './slack-errors.ts'

/** web-api's own retries are off, because they go on for 30 minutes. Our `fetch` limits the time and the retries. */
export function slackClientOptions(
  apiUrl: string,
  logger: Logger,
  clock: Pick<Clock, 'sleep'>,
  metrics?: SlackMetrics,
): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    logger: boltLogger(logger),
    fetch: createSlackFetch(clock, metrics),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  }
}

/** Creates a workspace's Slack client for background work. @throws NotInstalledError; KeyringError; errors of Slack */
export type ClientFor = (workspaceId: string) => Promise<WebClient>

export function boltLogger(logger: Logger): BoltLogger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: unknown[]): void => {
      const err = parts.find((part) => part instanceof Error)
      const texts = parts.filter((part) => !(part instanceof Error))
      logger[level]({ ...(err && { err }) }, texts.map(String).join(' '))
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

interface Patience {
  limitedMs?: number // the total wait for rate limits; by default a minute
  pausesMs?: readonly number[] // after other temporary failures; by default, these are thrown
}

/** Repeats a call while Slack rate-limits the app, and with `pausesMs` also after other temporary failures. */
export async function patiently<T>(
  clock: Pick<Clock, 'sleep'>,
  { limitedMs = 60_000, pausesMs = [] }: Patience,
  call: () => Promise<T>,
): Promise<T> {
  const pauses = [...pausesMs]
  let remainingMs = limitedMs
  const waitAfter = (error: unknown): number | undefined => {
    const rateLimitMs = retryAfterMs(error)
    if (rateLimitMs === undefined) return isTemporary(error) ? pauses.shift() : undefined
    remainingMs -= rateLimitMs
    return remainingMs >= 0 ? rateLimitMs : undefined
  }
  return retry({ clock, waitAfter }, call)
}

export const SLACK_TIMEOUT_MS = 3_000

/** After the time limit, the signal aborts with a SlackTimeoutError. */
export async function withTimeout<T>(
  clock: Pick<Clock, 'sleep'>,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  clock.sleep(SLACK_TIMEOUT_MS, controller.signal).then(
    () => controller.abort(new SlackTimeoutError(SLACK_TIMEOUT_MS)),
    () => undefined,
  )
  try {
    return await request(controller.signal)
  } finally {
    controller.abort(NO_LONGER_NEEDED) // Ends the sleep.
  }
}

type SlackResponse = Pick<HttpResponse, 'status' | 'text'>

const RETRY_PAUSES_MS = [300, 1_000]

// A `trigger_id` works only once. Slack might have posted a message before the connection broke.
const SENT_ONCE = /(?:views\.(?:open|push)|chat\.postMessage)$/

/**
 * Sends a request to Slack, and repeats it after a broken connection or a 5xx. It isn't repeated after a timeout, because
 * the user is waiting, nor after a 429, because `patiently` handles rate limits.
 */
async function sendWithRetries<R extends SlackResponse>(
  clock: Pick<Clock, 'sleep'>,
  metrics: SlackMetrics | undefined,
  url: string,
  send: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const start = performance.now()
  const observeCall = (error?: string): void =>
    metrics?.observeCall((performance.now() - start) / 1_000, error)
  const pauses = SENT_ONCE.test(url) ? [] : [...RETRY_PAUSES_MS]
  const waitAfter = (error: unknown): number | undefined =>
    error instanceof SlackTimeoutError ? undefined : pauses.shift()
  try {
    const response = await retry({ clock, waitAfter }, async () => {
      const received = await withTimeout(clock, send)
      if (received.status >= 500 && pauses.length > 0) throw new Error(`HTTP ${received.status}`)
      return received
    })
    observeCall(errorCode(response))
    return response
  } catch (error) {
    observeCall(error instanceof SlackTimeoutError ? 'timeout' : 'unreachable')
    throw error
  }
}

function errorCode({ status, text }: SlackResponse): string | undefined {
  // Slack puts the code into the body even if the status is 200.
  if (status === 429) return 'ratelimited'
  if (/"ok":\s*false/.test(text)) return /"error":\s*"([^"]*)"/.exec(text)?.[1] ?? ''
  return status >= 200 && status < 300 ? undefined : 'http_error'
}

export function createSlackFetch(
  clock: Pick<Clock, 'sleep'>,
  metrics?: SlackMetrics,
): typeof globalThis.fetch {
  return async (url, init) => {
    const address = String(url instanceof Request ? url.url : url)
    const send = async (signal: AbortSignal) => {
      const response = await fetch(url, { ...init, signal })
      const { status, statusText, headers } = response
      return { status, statusText, headers, text: await response.text() }
    }
    const { text, ...head } = await sendWithRetries(clock, metrics, address, send)
    return new Response(text === '' ? null : text, head)
  }
}

/** Posts JSON to a `response_url`, as most answers do. Uses our HTTP client: `fetch` takes four times the CPU time. */
export type SlackPost = (url: string, body: object) => Promise<HttpResponse>

export function createSlackPost(clock: Pick<Clock, 'sleep'>, metrics?: SlackMetrics): SlackPost {
  const transport = createTransport()
  const headers = { 'content-type': 'application/json' }
  return (url, body) => {
    const bytes = Buffer.from(JSON.stringify(body))
    return sendWithRetries(clock, metrics, url, (signal) =>
      transport.send({ method: 'POST', url, headers, body: bytes, signal }),
    )
  }
}
