import { systemClock } from '../timing/clock.ts'
import { retry } from '../timing/retry.ts'
import { SQLITE, sqliteCode } from './sqlite-errors.ts'

/** How long to wait before another try, in milliseconds. */
const RETRY_MS = 20

/**
 * Runs a task of SQLite's, again and again while another process has locked the file. The event loop
 * turns between the tries.
 */
export async function retryWhileBusy<T>(timeoutMs: number, task: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + timeoutMs
  const waitAfter = (error: unknown): number | undefined =>
    sqliteCode(error) === SQLITE.BUSY && performance.now() <= end ? RETRY_MS : undefined
  return retry({ clock: systemClock, waitAfter }, task)
}
