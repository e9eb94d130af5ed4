import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads, { Worker, type WorkerOptions } from 'node:worker_threads'

/*
 * Each worker of Vitest loads this first (vitest.config.ts). It keeps the writing threads of closed SQLite databases for
 * the databases that are opened next. To start a thread and to load Kysely in it takes up to a quarter of a second of
 * CPU time, and a run opens hundreds of databases.
 */

const SCRIPT = new URL('../../src/writer-thread.ts', import.meta.url).href

/** Threads that have closed their file. */
const idle: Worker[] = []

class WarmWriter extends Worker {
  #hasClosed = false

  constructor(options?: WorkerOptions) {
    super(new URL(SCRIPT), options)
  }

  override postMessage(message: object): void {
    this.#hasClosed = 'isLast' in message
    super.postMessage(message)
  }

  override async terminate(): Promise<number> {
    if (!this.#hasClosed) return super.terminate()
    for (const event of ['message', 'error', 'exit']) this.removeAllListeners(event)
    idle.push(this)
    return 0
  }
}

workerThreads.Worker = new Proxy(Worker, {
  construct(target, [script, options]: ConstructorParameters<typeof Worker>) {
    if (String(script) !== SCRIPT) return new target(script, options)
    const kept = idle.pop()
    if (!kept) return new WarmWriter(options)
    EventEmitter.prototype.emit.call(process, 'worker', kept)
    return kept
  },
})
syncBuiltinESMExports()
