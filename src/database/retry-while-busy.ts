import { setTimeout as sleep } from 'node:timers/promises'
import { SQLITE, sqliteCode } from './sqlite-errors.ts'

/** How long to wait before another try, in milliseconds. */
const RETRY_MS = 20

/**
 * Runs a task of SQLite's, again and again while another process has locked the file. The event loop
 * turns between the tries.
 */
export async function retryWhileBusy<T>(timeoutMs: number, task: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    try {
      return await task()
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.BUSY || performance.now() > end) throw error
    }
    await sleep(RETRY_MS)
  }
}
