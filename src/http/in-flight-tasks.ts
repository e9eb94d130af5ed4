import type { Logger } from 'pino'

export type InFlightTasks = ReturnType<typeof createInFlightTasks>

/** Counts the work in flight, so that a stop can wait for it. Bolt's own stop does not. */
export function createInFlightTasks(logger: Logger) {
  const running = new Set<Promise<unknown>>()

  /** Runs a task and counts it until it ends. */
  function track<T>(task: () => Promise<T>): Promise<T> {
    const promise = task()
    running.add(promise)
    const end = (): boolean => running.delete(promise)
    promise.then(end, end)
    return promise
  }

  return {
    track,
    /** Runs a task that no user waits for. A failure is logged as this message. */
    runInBackground(task: () => Promise<unknown>, failureMessage: string): void {
      track(async () => task()).catch((err: unknown) => logger.error({ err }, failureMessage))
    },
    /** Resolves when no task is in flight anymore, including tasks that start meanwhile. */
    async drained(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
