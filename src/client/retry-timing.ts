/** The first retry waits up to this long, in milliseconds; each further one up to twice as long. */
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 4_000

/** A Retry-After beyond an hour is taken as an hour. */
const LONGEST_RETRY_AFTER_MS = 3_600_000

/**
 * How long to wait before another try, in milliseconds: exponential, with "equal jitter", so that
 * clients which failed together don't come back together, and none comes back at once.
 *
 * @param retries how many retries there have been
 * @param random from 0 to below 1
 */
export function backOffMs(retries: number, random: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries)
  return Math.round(longest / 2 + (longest / 2) * random)
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date (RFC 9110 §10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns milliseconds from 0 to an hour; undefined where the header can't be read
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS)
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`; Date.parse alone would take `-5` and `1.5` for dates. */
function parseHttpDate(text: string): number {
  return /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : NaN
}
