import type { Clock } from '../timing/clock.ts'
import { LinkServiceError, RateLimitedError, TimeoutError } from './errors.ts'
import { backoffMs } from './retry.ts'

/**
 * How long an operation may ask the link service, in milliseconds. The user gets an answer within 15 s, of which
 * Slack needs some.
 */
const DEADLINE_MS = 12_000

/** How many failed calls of an operation are repeated. */
const MAX_RETRIES = 3

/**
 * One thing that a user does: a command, a form, a checklist of thirty links, a page of a list. All its
 * calls to the link service share one deadline and one number of retries.
 */
export interface Operation {
  /** Aborts at the deadline. */
  signal: AbortSignal
  /**
   * Makes a call and repeats it after temporary failures. Between attempts it waits as long as the service
   * asks (Retry-After), or else increasingly long. It gives up early if the next wait would exceed the
   * deadline. While the service refuses requests (429), one call of the operation tries again and the others wait.
   *
   * @param call receives a signal that aborts at the deadline, or if the caller's signal aborts
   * @throws the error of the last attempt; TimeoutError if there was no time for any
   */
  run<T>(call: (signal: AbortSignal) => Promise<T>, options?: RunOptions): Promise<T>
}

export interface RunOptions {
  /** The caller's signal. */
  signal?: AbortSignal | undefined
  /** Whether a call is repeated after this error; by default, if the error is temporary. */
  isRetryable?: (error: LinkServiceError) => boolean
}

export function createOperation({
  clock,
  deadlineMs = DEADLINE_MS,
  maxRetries = MAX_RETRIES,
}: {
  clock: Clock
  deadlineMs?: number | undefined
  maxRetries?: number | undefined
}): Operation {
  const end = clock.now() + deadlineMs
  const deadline = clock.timeout(deadlineMs)
  let retries = 0
  /** Resolves when the service accepts requests again, or when the operation has given up. */
  let refusing: Promise<unknown> | undefined
  /** Set when the operation has given up on a service that refuses requests. */
  let refusal: RateLimitedError | undefined

  /** A function, because another call may change it at any `await`. */
  const waitsForAnswer = (): boolean => refusing !== undefined

  /** @returns whether the call may be repeated now; false if the time or the retries are used up */
  async function waitForRetry(error: LinkServiceError, signal: AbortSignal): Promise<boolean> {
    const retryAfter = error instanceof RateLimitedError ? error.retryAfterMs : 0
    const wait = Math.max(retryAfter, backoffMs(retries, clock.random()))
    if (retries >= maxRetries || clock.now() + wait >= end) return false
    retries++
    await clock.sleep(wait, signal).catch((reason: unknown) => {
      if (!deadline.aborted) throw reason
    })
    return !deadline.aborted
  }

  return {
    signal: deadline,
    async run(call, { signal: caller, isRetryable = isTemporary } = {}) {
      const signal = caller ? AbortSignal.any([caller, deadline]) : deadline
      /** The error of the latest attempt. */
      let failure: LinkServiceError | undefined

      /** @returns undefined after a temporary failure */
      const attempt = async () => {
        try {
          return { value: await call(signal) }
        } catch (error) {
          if (!(error instanceof LinkServiceError) || !isRetryable(error)) throw error
          failure = error
          return undefined
        }
      }

      /** Repeats the call until it succeeds or the operation gives up. */
      const repeat = async (first: LinkServiceError) => {
        for (let latest = first; ; latest = failure ?? latest) {
          if (!(await waitForRetry(latest, signal))) {
            if (latest instanceof RateLimitedError) refusal = latest
            throw latest
          }
          const success = await attempt()
          if (success) return success.value
        }
      }

      for (;;) {
        while (waitsForAnswer()) await refusing
        caller?.throwIfAborted()
        if (refusal) throw failure ?? refusal
        if (deadline.aborted) throw failure ?? new TimeoutError('unsent')
        const success = await attempt()
        if (success) return success.value
        if (!failure) throw new Error('an attempt either succeeds or fails')
        if (!(failure instanceof RateLimitedError)) return repeat(failure)
        // Another call of the operation was refused at the same time. It tries again for both.
        if (waitsForAnswer()) continue
        const { promise, resolve } = Promise.withResolvers<unknown>()
        refusing = promise
        try {
          return await repeat(failure)
        } finally {
          refusing = undefined
          resolve(undefined)
        }
      }
    },
  }
}

function isTemporary(error: LinkServiceError): boolean {
  return error.retryable
}
