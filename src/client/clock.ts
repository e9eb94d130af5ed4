import { setTimeout as delay } from 'node:timers/promises'

/** The source of time and randomness. Tests provide their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 to below 1. */
  random(): number
  /** Rejects if the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A signal that aborts with a TimeoutError after so many milliseconds. It keeps no process alive. */
  timeout(ms: number): AbortSignal
}

export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) => delay(ms, undefined, signal && { signal }),
  timeout: (ms) => AbortSignal.timeout(ms),
}

/**
 * Returns the result of the work, or undefined if it takes longer than `ms` milliseconds. The work itself
 * goes on.
 */
export async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: Promise<T>,
): Promise<{ value: T } | undefined> {
  const timer = new AbortController()
  const timeout = clock.sleep(ms, timer.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([work.then((value) => ({ value })), timeout])
  } finally {
    timer.abort()
  }
}
