import type {
  LinkServiceCall,
  LinkServiceMetrics,
  LinkServiceOutcome,
} from '../metrics/app-metrics.ts'
import type { Clock } from '../timing/clock.ts'
import { failureOf, LinkServiceError, type FailureKind } from '../port/failures.ts'
import type { CallOptions } from '../port/link-service.ts'
import { createOperation, type RunOptions } from '../port/operation.ts'

interface Change<T> extends Pick<RunOptions, 'isRetryable'> {
  /**
   * Called after the last attempt has failed, if the service might have made the change in any attempt.
   * @param uncertain the error of that attempt. @returns undefined if it is unknown whether the change was made
   */
  findResult?: (
    lastError: LinkServiceError,
    uncertain: LinkServiceError,
    signal: AbortSignal,
  ) => Promise<T | undefined>
}

/**
 * Repeats a call to the link service, within an operation, until it succeeds or the operation gives up.
 * @param attempt sends one request. It receives the error of an earlier attempt that might have made the change
 * @param change given for a call that changes something
 * @throws the error of the last attempt
 * @throws the error of an attempt that might have made the change, if the last error is temporary, or says that the
 *   link has changed. Users then learn that the change might have been made
 */
export type RunCall = <T>(
  name: LinkServiceCall,
  options: CallOptions,
  attempt: (signal: AbortSignal, uncertain?: LinkServiceError) => Promise<T>,
  change?: Change<T>,
) => Promise<T>

export function createCalls(clock: Clock, metrics: LinkServiceMetrics | undefined): RunCall {
  async function measure<T>(call: LinkServiceCall, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let outcome: LinkServiceOutcome = 'ok'
    try {
      return await work()
    } catch (error) {
      if (error instanceof LinkServiceError) error.call ??= call
      outcome = toOutcome(error)
      throw error
    } finally {
      metrics?.calls.inc({ call, outcome })
      metrics?.durations.observe({ call }, (performance.now() - start) / 1_000)
    }
  }

  return (call, { operation = createOperation({ clock }), signal: caller }, attempt, change) => {
    let uncertain: LinkServiceError | undefined
    let isRetry = false

    function observedAttempt(signal: AbortSignal) {
      if (isRetry) metrics?.retries.inc({ call })
      isRetry = true
      return attempt(signal, uncertain).catch((error: unknown) => {
        if (error instanceof LinkServiceError && error.mayHaveHappened) uncertain = error
        throw error
      })
    }

    async function findResult(lastError: unknown) {
      if (!change || !uncertain || !(lastError instanceof LinkServiceError)) throw lastError
      const signal = caller ? AbortSignal.any([caller, operation.signal]) : operation.signal
      const result = await change.findResult?.(lastError, uncertain, signal)
      if (result !== undefined) return result
      throw lastError.retryable || failureOf(lastError, 'changed') ? uncertain : lastError
    }

    const runOptions = { signal: caller, isRetryable: change?.isRetryable }
    return measure(call, () => operation.run(observedAttempt, runOptions).catch(findResult))
  }
}

const OUTCOMES: { [Kind in FailureKind]?: LinkServiceOutcome } = {
  busy: 'rate_limited',
  gone: 'gone',
  changed: 'stale',
  failed: 'server_error',
  timeout: 'timeout',
  unreachable: 'unreachable',
  unreadable: 'invalid_response',
  uncertain: 'uncertain',
}

function toOutcome(error: unknown): LinkServiceOutcome {
  if (!(error instanceof LinkServiceError)) return 'aborted'
  return OUTCOMES[error.failure.kind] ?? 'rejected'
}

/** An update is sent again after a lost response, which is safe because it sets the same values. */
export const UPDATE = {}

/** `gone` after a lost response counts as success, because the earlier request has probably deleted the link. */
export const REMOVAL: Change<unknown> = {
  findResult: async (lastError) => (failureOf(lastError, 'gone') ? true : undefined),
}
