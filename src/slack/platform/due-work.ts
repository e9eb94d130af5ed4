import { inRequest } from '../../http/request-context.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { Platform } from './platform.ts'

const LOOK_EVERY_MS = 60_000
const MAX_AT_ONCE = 500
const CONCURRENCY = 5

interface DueWorkOptions<T> {
  due: (limit: number) => Promise<T[]> // oldest first
  work: (item: T) => Promise<void> // does nothing if another process is doing it
  failure: string // logged if `due` or `work` throws
}

export interface DueWork {
  look(): Promise<void>
  start(): () => void
}

/** Does scheduled work, such as reminders. Once started, every process looks once a minute for items that are due. */
export function createDueWork<T>(
  { logger, tasks }: Pick<Platform, 'logger' | 'tasks'>,
  { due, work, failure }: DueWorkOptions<T>,
): DueWork {
  let isLooking = false
  const stopping = new AbortController()

  async function look(): Promise<void> {
    if (isLooking) return // The last look takes longer than a minute.
    isLooking = true
    try {
      await inParallel(await due(MAX_AT_ONCE), CONCURRENCY, async (item) => {
        if (stopping.signal.aborted) return
        await inRequest(() => work(item)).catch((err: unknown) => logger.error({ err }, failure))
      })
    } finally {
      isLooking = false
    }
  }

  return {
    look,
    start() {
      const lookInBackground = (): void => tasks.runInBackground(look, failure)
      const timer = setInterval(lookInBackground, LOOK_EVERY_MS)
      timer.unref()
      lookInBackground()
      return () => {
        stopping.abort()
        clearInterval(timer)
      }
    },
  }
}
