import { inRequest } from '../../http/request-context.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { Platform } from './platform.ts'

const LOOK_EVERY_MS = 60_000
const MAX_AT_ONCE = 500
const CONCURRENCY = 5

interface DueWorkOptions<T> {
  /** Reads the items that are due, up to a limit. The oldest come first. */
  due: (limit: number) => Promise<T[]>
  /** Does the work of an item, unless another process is doing it. */
  work: (item: T) => Promise<void>
  failure: string
}

export interface DueWork {
  look(): Promise<void>
  start(): () => void
}

/** Does work that is due at certain times, such as reminders. Each process looks every minute for what is due. */
export function createDueWork<T>(
  { logger, tasks }: Pick<Platform, 'logger' | 'tasks'>,
  { due, work, failure }: DueWorkOptions<T>,
): DueWork {
  let isLooking = false
  const stopping = new AbortController()

  async function look(): Promise<void> {
    if (isLooking) return
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
