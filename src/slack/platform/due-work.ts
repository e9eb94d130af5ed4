import type { Logger } from 'pino'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { inRequest } from '../../http/request-context.ts'

/** How often to look for work that is due, in milliseconds. */
const LOOK_EVERY_MS = 60_000

/** How much work is read at once, how often at most in one run, and how much is done at the same time. */
const BATCH = 50
const MAX_BATCHES = 10
const AT_ONCE = 5

interface DueWorkOptions<T> {
  tasks: Pick<InFlightTasks, 'runInBackground'>
  logger: Logger
  /** Reads work that is due, the oldest first. Work that was tried is no longer due. */
  due: (limit: number) => Promise<T[]>
  /** Does one piece of work, unless another process does it. If it rejects, the other work is still done. */
  work: (one: T) => Promise<void>
  /** What is logged if work, or looking for it, fails. */
  failure: string
}

/** Does work that falls due at some time, such as reminders. */
export function createDueWork<T>({ tasks, logger, due, work, failure }: DueWorkOptions<T>) {
  let isLooking = false
  const stopping = new AbortController()
  /** A function, because the answer may change at any `await`. */
  const isStopped = (): boolean => stopping.signal.aborted

  const attempt = (one: T): Promise<void> =>
    inRequest(() => work(one)).catch((err: unknown) => logger.error({ err }, failure))

  /** Does the work that is due. Does nothing while an earlier call is running, or after a stop. */
  async function look(): Promise<void> {
    if (isLooking || isStopped()) return
    isLooking = true
    try {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const found = await due(BATCH)
        for (let at = 0; at < found.length && !isStopped(); at += AT_ONCE) {
          await Promise.all(found.slice(at, at + AT_ONCE).map(attempt))
        }
        if (found.length < BATCH || isStopped()) return
      }
    } finally {
      isLooking = false
    }
  }

  return {
    look,
    /** Looks now and every minute. @returns a function that stops this */
    start(): () => void {
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
