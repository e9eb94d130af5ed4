export interface Clock {
  now(): number
  random(): number
  /** @throws the signal's reason if the signal aborts */
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

// Not `sleep` of `timers/promises`: it creates an error for each abort, and most timers of a request are aborted.
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  try {
    await (signal ? unlessAborted(signal, promise) : promise)
  } finally {
    clearTimeout(timer)
  }
}

/** The reason for aborting a timer. Without a reason, each abort would create an error with a stack trace. */
export const NO_LONGER_NEEDED = new Error('no longer needed')

/** Waits at most `ms` milliseconds for work, which goes on afterwards. @returns undefined if the work takes longer */
export async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: Promise<T>,
): Promise<{ value: T } | undefined> {
  const timer = new AbortController()
  const timeout = clock.sleep(ms, timer.signal).then(() => undefined)
  try {
    return await Promise.race([work.then((value) => ({ value })), timeout])
  } finally {
    timer.abort(NO_LONGER_NEEDED)
  }
}

/** Waits for work until a signal aborts, and then rejects with the signal's reason. The work itself goes on. */
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
