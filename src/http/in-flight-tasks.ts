import type { FastifyBaseLogger } from 'fastify'
import { currentRequestId } from './request-context.ts'

export type InFlightTasks = ReturnType<typeof createInFlightTasks>

/** Tracks work in flight, such as listeners of Slack requests, so that stopping can wait for it, which Bolt doesn't. */
export function createInFlightTasks(logger: Pick<FastifyBaseLogger, 'error'>) {
  const running = new Map<Promise<unknown>, string | undefined>()

  function track<T>(task: () => Promise<T>): Promise<T> {
    const promise = task()
    running.set(promise, currentRequestId())
    const end = (): boolean => running.delete(promise)
    promise.then(end, end)
    return promise
  }

  return {
    track,
    runInBackground(task: () => Promise<unknown>, failureMessage: string): void {
      track(async () => task()).catch((err: unknown) => logger.error({ err }, failureMessage))
    },
    /** Waits until no work is in flight. */
    async drained(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running.keys())
    },
    async requestDrained(requestId: string | undefined): Promise<void> {
      for (;;) {
        const remaining = [...running].filter(([, id]) => id === requestId).map(([task]) => task)
        if (remaining.length === 0) return
        await Promise.allSettled(remaining) // A task can start another one.
      }
    },
  }
}
