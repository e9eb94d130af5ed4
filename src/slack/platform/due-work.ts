import { inRequest } from '../../http/request-context.ts'
import type { Platform } from './platform.ts'

const LOOK_EVERY_MS = 60_000
const BATCH = 50
const MAX_BATCHES = 10
const CONCURRENCY = 5

interface DueWorkOptions<T> {
  /** Reads the oldest first. Work that was tried must no longer be due. */
  due: (limit: number) => Promise<T[]>
  /** Does nothing if another process does the work. */
  work: (one: T) => Promise<void>
  failure: string
}

export interface DueWork {
  look(): Promise<void>
  start(): () => void
}

export function createDueWork<T>(
  { logger, tasks }: Pick<Platform, 'logger' | 'tasks'>,
  { due, work, failure }: DueWorkOptions<T>,
): DueWork {
  let isLooking = false
  const stopping = new AbortController()
  /** A function, because the answer can change at any `await`. */
  const isStopped = (): boolean => stopping.signal.aborted

  const attempt = (one: T): Promise<void> =>
    inRequest(() => work(one)).catch((err: unknown) => logger.error({ err }, failure))

  async function look(): Promise<void> {
    if (isLooking || isStopped()) return
    isLooking = true
    try {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const found = await due(BATCH)
        for (let at = 0; at < found.length && !isStopped(); at += CONCURRENCY) {
          await Promise.all(found.slice(at, at + CONCURRENCY).map(attempt))
        }
        if (found.length < BATCH || isStopped()) return
      }
    } finally {
      isLooking = false
    }
  }

  return {
    look,
    start() {
      const inBackground = (): void => tasks.runInBackground(look, failure)
      const timer = setInterval(inBackground, LOOK_EVERY_MS)
      timer.unref()
      inBackground()
      return () => {
        stopping.abort()
        clearInterval(timer)
      }
    },
  }
}
