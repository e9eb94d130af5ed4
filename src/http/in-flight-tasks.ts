import type { FastifyBaseLogger } from 'fastify'
import { currentRequestId } from './request-context.ts'

/** Tracks work in flight, such as listeners of Slack requests, so that stopping can wait for it, which Bolt doesn't. */
export interface InFlightTasks {
  track: <T>(task: () => Promise<T>) => Promise<T>
  runInBackground: (task: () => Promise<unknown>, failureMessage: string) => void
  drained: () => Promise<void>
  requestDrained: (requestId: string | undefined) => Promise<void>
}

export function createInFlightTasks(logger: Pick<FastifyBaseLogger, 'error'>): InFlightTasks {
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
    runInBackground(task, failureMessage) {
      track(async () => task()).catch((err: unknown) => logger.error({ err }, failureMessage))
    },
    async drained() {
      while (running.size > 0) await Promise.allSettled(running.keys())
    },
    async requestDrained(requestId) {
      for (;;) {
        const remaining = [...running].filter(([, id]) => id === requestId).map(([task]) => task)
        if (remaining.length === 0) return
        await Promise.allSettled(remaining) // A task can start another one.
      }
    },
  }
}
