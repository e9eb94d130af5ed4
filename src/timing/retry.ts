import type { Clock } from './clock.ts'
import { DAY_MS } from './days.ts'

export interface RetryPolicy {
  clock: Pick<Clock, 'sleep'>
  /** @returns milliseconds to wait before the next attempt; undefined to give up, and throw the error */
  waitAfter: (error: unknown, failures: number) => number | undefined | Promise<number | undefined>
  signal?: AbortSignal | undefined
}

export async function retry<T>(
  { clock, waitAfter, signal }: RetryPolicy,
  attempt: () => T | Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const ms = await waitAfter(error, failures)
      if (ms === undefined) throw error
      if (ms > 0) await clock.sleep(ms, signal)
    }
  }
}

export interface Backoff {
  firstMs: number
  longestMs: number
}

/**
 * The wait before a retry: the longer of `Retry-After` and the exponential backoff. Its "equal jitter" lets clients
 * that failed together retry at different times. The first failure is 1.
 */
export function backoffMs(
  { firstMs, longestMs }: Backoff,
  failures: number,
  random: number,
  retryAfterMs = 0,
): number {
  const backoff = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.max(retryAfterMs, Math.round(backoff / 2 + (backoff / 2) * random))
}

const LONGEST_RETRY_AFTER_MS = 365 * DAY_MS

/** Parses `Retry-After`: seconds or a date (RFC 9110 §10.2.3). @returns milliseconds, at most a year, or undefined */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS)
}

// Parses a date in the three formats of HTTP. One of them, `Sun Nov  6 08:49:37 1994`, doesn't name GMT. The first
// check rejects texts such as `-5` and `1.5`, which Date.parse accepts.
function parseHttpDate(text: string): number {
  if (!/^[a-z]{3,9},? /i.test(text)) return NaN
  return Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`)
}
