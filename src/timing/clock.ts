export interface Clock {
  now(): number
  random(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A signal that aborts with a TimeoutError. It keeps no process alive. */
  timeout(ms: number): AbortSignal
}

export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  sleep,
  timeout: (ms) => AbortSignal.timeout(ms),
}

/** Without the error that `timers/promises` creates, since most of a request's timers are aborted. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', abort)

    function end(): void {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    function abort(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      reject(signal?.reason as Error)
    }
  })
}

/** Aborts a timer that is no longer needed. Without a reason, each abort creates an error with its stack. */
export const NO_LONGER_NEEDED = new Error('no longer needed')

/** Returns undefined if the work takes longer than `ms` milliseconds. The work itself goes on. */
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
    timer.abort(NO_LONGER_NEEDED)
  }
}

/** Rejects with the signal's reason as soon as it aborts. The work itself goes on. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
