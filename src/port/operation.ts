import { unlessAborted, type Clock } from '../timing/clock.ts'
import { backoffMs, retry, type Backoff } from '../timing/retry.ts'
import { failureOf, LinkServiceError, TimeoutError } from './failures.ts'

// Users should get a response within 15 s, of which the calls to Slack need a part.
const DEADLINE_MS = 12_000

const MAX_RETRIES = 3

const BACKOFF: Backoff = { firstMs: 250, longestMs: 4_000 }

export interface RunOptions {
  signal?: AbortSignal | undefined
  isRetryable?: ((error: LinkServiceError) => boolean) | undefined
}

/** The calls for one user action, such as submitting a form, share a deadline and a retry budget. */
export interface Operation {
  signal: AbortSignal
  /**
   * Sends a call, and repeats it after temporary failures. Before each retry it waits for the longer of `Retry-After`
   * and the exponential backoff. It gives up early if the next wait would exceed the deadline. While the service is
   * rate-limiting (429), only one call of the operation, the probe, retries. The others wait for its result.
   * @throws the error of the last attempt, or TimeoutError if there was no time for an attempt
   */
  run: <T>(call: (signal: AbortSignal) => Promise<T>, options?: RunOptions) => Promise<T>
}

export function createOperation({
  clock,
  deadlineMs = DEADLINE_MS,
  maxRetries = MAX_RETRIES,
}: {
  clock: Clock
  deadlineMs?: number
  maxRetries?: number
}): Operation {
  const endMs = clock.now() + deadlineMs
  const deadline = clock.timeout(deadlineMs)
  let retries = 0
  // Set while the service is rate-limiting. It resolves when the probe has succeeded or given up.
  let probe: PromiseWithResolvers<void> | undefined
  let gaveUpWith: LinkServiceError | undefined

  /** Takes a retry from the budget. @returns how long to wait before it, or undefined if no retry or time is left */
  function takeRetry(error: LinkServiceError): number | undefined {
    const retryAfterMs = failureOf(error, 'busy')?.retryAfterMs ?? 0
    const wait = backoffMs(BACKOFF, retries + 1, clock.random(), retryAfterMs)
    if (retries >= maxRetries || clock.now() + wait >= endMs) return undefined
    retries++
    return wait
  }

  return {
    signal: deadline,
    async run<T>(
      call: (signal: AbortSignal) => Promise<T>,
      { signal: caller, isRetryable = ({ retryable }) => retryable }: RunOptions = {},
    ): Promise<T> {
      const signal = caller ? AbortSignal.any([caller, deadline]) : deadline
      let latestError: LinkServiceError | undefined
      let isProbing = false

      async function attempt() {
        while (probe && !isProbing && !signal.aborted) {
          await unlessAborted(signal, probe.promise).catch(() => undefined)
        }
        caller?.throwIfAborted()
        if (gaveUpWith) throw latestError ?? gaveUpWith
        if (deadline.aborted) throw latestError ?? new TimeoutError('unsent')
        return call(signal)
      }

      function waitAfter(error: unknown): number | undefined {
        if (!(error instanceof LinkServiceError) || !isRetryable(error)) return undefined
        if (gaveUpWith || deadline.aborted) return undefined
        latestError = error
        const isLimited = failureOf(error, 'busy') !== undefined
        if (isLimited && !isProbing) {
          // Another call is the probe. This call retries at once, and the retry waits for the probe.
          if (probe) return 0
          probe = Promise.withResolvers()
          isProbing = true
        }
        const wait = takeRetry(error)
        if (wait === undefined && isLimited) gaveUpWith = error
        return wait
      }

      function endProbe(): void {
        if (!isProbing) return
        probe?.resolve()
        probe = undefined
      }

      return retry({ clock, signal: caller, waitAfter }, attempt).finally(endProbe)
    },
  }
}
