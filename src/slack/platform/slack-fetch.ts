import type { Clock } from '../../client/clock.ts'

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
    timer.abort()
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
