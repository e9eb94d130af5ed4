import { Worker } from 'node:worker_threads'
import type { Threads } from '../../src/database/sqlite-thread.ts'

/**
 * Keeps the threads of closed databases for the databases that are opened next. A run opens hundreds, and a new thread
 * takes up to a quarter of a second of CPU time to load its modules.
 *
 * @param replace chooses the script that runs in a thread instead of the program's script
 */
export function reuseThreads(replace = (script: URL): URL => script): Threads {
  const idle: Worker[] = []
  const scripts = new WeakMap<Worker, string>()
  return {
    start(script) {
      const index = idle.findIndex((worker) => scripts.get(worker) === script.href)
      const [reused] = index === -1 ? [] : idle.splice(index, 1)
      const worker = reused ?? new Worker(replace(script), { execArgv: [] })
      scripts.set(worker, script.href)
      return worker
    },
    async end(worker) {
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      idle.push(worker)
    },
  }
}

export const reusedThreads = reuseThreads()
