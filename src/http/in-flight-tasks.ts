import type { Logger } from 'pino'

/** Counts the work in flight, so that a stop can wait for it. Bolt's own stop does not. */
export interface InFlightTasks {
  /** Runs a task and counts it until it ends. */
  track<T>(task: () => Promise<T>): Promise<T>
  /** Runs a task that no user waits for. A failure is logged as this message. */
  runInBackground(task: () => Promise<unknown>, failureMessage: string): void
  /** Resolves when no task is in flight anymore, including tasks that start meanwhile. */
  drained(): Promise<void>
}

export function createInFlightTasks(logger: Logger): InFlightTasks {
  const running = new Set<Promise<unknown>>()

  function track<T>(task: () => Promise<T>): Promise<T> {
    const promise = task()
    running.add(promise)
    const end = (): boolean => running.delete(promise)
    promise.then(end, end)
    return promise
  }

  return {
    track,
    runInBackground(task, failureMessage) {
      track(async () => task()).catch((err: unknown) => logger.error({ err }, failureMessage))
    },
    async drained() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
