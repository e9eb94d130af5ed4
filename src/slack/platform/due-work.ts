import { inRequest } from '../../http/request-context.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { Platform } from './platform.ts'

const LOOK_EVERY_MS = 60_000
const MAX_AT_ONCE = 500
const CONCURRENCY = 5

interface DueWorkOptions<T> {
  /** Reads at most `limit` items that are due, oldest first. */
  due: (limit: number) => Promise<T[]>
  /** Does the work of an item, unless another process is doing it. */
  work: (item: T) => Promise<void>
  /** The log message if `due` or `work` throws. */
  failure: string
}

export interface DueWork {
  look(): Promise<void>
  /** Looks now and then every minute. @returns a function that stops this */
  start(): () => void
}

/** Does scheduled work, such as reminders. Every process looks once a minute for items that are due. */
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
