import { Worker } from 'node:worker_threads'
import type { Threads } from '../../src/database/sqlite-thread.ts'

/**
 * Keeps the writing threads of closed databases for the databases that are opened next. A run opens hundreds, and a new
 * thread takes up to a quarter of a second of CPU time to load its modules.
 *
 * @param ownScript runs in the threads instead of the program's script
 */
export function reuseThreads(ownScript?: URL): Threads {
  const idle: Worker[] = []
  return {
    start: (script) => idle.pop() ?? new Worker(ownScript ?? script, { execArgv: [] }),
    async end(worker) {
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      idle.push(worker)
    },
  }
}

export const reusedThreads = reuseThreads()
