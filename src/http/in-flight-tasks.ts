import type { FastifyBaseLogger } from 'fastify'
import { currentRequestId } from './request-context.ts'

/** Keeps a list of the work in flight, so that a stop can wait for it. Bolt's own stop doesn't wait. */
export interface InFlightTasks {
  track: <T>(task: () => Promise<T>) => Promise<T>
  runInBackground: (task: () => Promise<unknown>, failureMessage: string) => void
  drained: () => Promise<void>
  requestDrained: (id: string | undefined) => Promise<void>
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
    async requestDrained(id) {
      const left = () => [...running].filter(([, request]) => request === id).map(([task]) => task)
      for (let tasks = left(); tasks.length > 0; tasks = left()) await Promise.allSettled(tasks)
    },
  }
}
