/** The longest wait before the first retry, in milliseconds. It doubles with each further retry. */
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 4_000

/** A Retry-After of more than a year counts as a year. */
const LONGEST_RETRY_AFTER_MS = 365 * 86_400_000

/**
 * How long to wait before the next attempt, in milliseconds: exponential backoff with "equal
 * jitter", so that clients that failed together retry at different times, and none retries at once.
 *
 * @param retries the number of retries so far
 * @param random from 0 to below 1
 */
export function backoffMs(retries: number, random: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries)
  return Math.round(longest / 2 + (longest / 2) * random)
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date (RFC 9110 §10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns milliseconds, from 0 to a year; undefined if the header is missing or invalid
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS)
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`. Date.parse alone would accept `-5` and `1.5` as dates. */
function parseHttpDate(text: string): number {
  return /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : NaN
}
