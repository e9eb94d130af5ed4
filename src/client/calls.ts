import type { Clock } from '../timing/clock.ts'
import { LinkServiceError } from './errors.ts'
import { createOperation, type Operation, type RunOptions } from './operation.ts'

export interface CallOptions {
  /** The operation that the call is part of; by default, an operation of its own. */
  operation?: Operation | undefined
  signal?: AbortSignal | undefined
}

/** Makes a call with retries, as part of an operation. @throws the error of the last attempt */
export function makeCall<T>(
  clock: Clock,
  { operation = createOperation({ clock }), signal }: CallOptions,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return operation.run(attempt, { signal })
}

/** A call that changes something. If its response gets lost, the caller must find out whether it was done. */
export interface UncertainCall<T> extends Pick<RunOptions, 'isRetryable'> {
  /** @param uncertain the error of an earlier attempt that may have been done */
  attempt: (signal: AbortSignal, uncertain: LinkServiceError | undefined) => Promise<T>
  /**
   * Finds out whether the change was done.
   *
   * @param error the last one
   * @param uncertain the error of the attempt that may have been done
   * @returns undefined if it was not done, or if that can't be known
   */
  look: (
    error: LinkServiceError,
    uncertain: LinkServiceError,
    signal: AbortSignal,
  ) => Promise<T | undefined>
}

/**
 * Makes a call that changes something. If an attempt may have been done although its answer got lost, and the
 * following ones don't succeed, finds out whether it was done.
 *
 * @throws the error of the attempt that may have been done, if the last one failed only for the moment
 */
export async function makeUntilKnown<T>(
  clock: Clock,
  { operation = createOperation({ clock }), signal: caller }: CallOptions,
  { attempt, look, isRetryable }: UncertainCall<T>,
): Promise<T> {
  let uncertain: LinkServiceError | undefined
  try {
    return await operation.run(
      (signal) =>
        attempt(signal, uncertain).catch((error: unknown) => {
          if (error instanceof LinkServiceError && error.mayHaveHappened) uncertain = error
          throw error
        }),
      { signal: caller, isRetryable },
    )
  } catch (error) {
    if (!uncertain || !(error instanceof LinkServiceError)) throw error
    const signal = caller ? AbortSignal.any([caller, operation.signal]) : operation.signal
    const done = await look(error, uncertain, signal)
    if (done !== undefined) return done
    // The caller must know that it may have been done, even if the last attempt certainly was not.
    throw error.retryable ? uncertain : error
  }
}
