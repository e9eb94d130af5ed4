import { setTimeout as delay } from 'node:timers/promises'
import { LinkServiceError } from './errors/link-service-error.ts'
import { RateLimitedError } from './errors/rate-limited-error.ts'
import { backOffMs } from './retry-timing.ts'

/** Where time and chance come from; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 to below 1. */
  random(): number
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The machine's own. */
export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
}

/** How long and how often a call is tried. */
export interface RetryOptions {
  clock: Clock
  /** For all tries together, in milliseconds. */
  deadlineMs: number
  /** How often a call is tried at most. */
  tries: number
  /** The caller's. */
  signal?: AbortSignal | undefined
}

/**
 * Makes a call, and makes it again after failures that pass. It waits as long as the service asks
 * (Retry-After) or else ever longer, and gives up at once when that would go beyond the deadline.
 *
 * @param call gets a signal that aborts at the deadline, or when the caller gives up
 * @throws what the last try threw
 */
export async function withRetries<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { clock, deadlineMs, tries, signal: caller }: RetryOptions,
): Promise<T> {
  const end = clock.now() + deadlineMs
  const deadline = AbortSignal.timeout(deadlineMs)
  const signal = caller ? AbortSignal.any([caller, deadline]) : deadline
  for (let retries = 0; ; retries++) {
    try {
      return await call(signal)
    } catch (error) {
      if (!(error instanceof LinkServiceError) || !error.retryable) throw error
      const asked = error instanceof RateLimitedError ? error.retryAfterMs : 0
      const wait = Math.max(asked, backOffMs(retries, clock.random()))
      if (retries + 1 >= tries || clock.now() + wait >= end) throw error
      await clock.sleep(wait, signal)
    }
  }
}
