import type { QueryResult } from 'kysely'
import { Worker } from 'node:worker_threads'
import type { Statement } from './sqlite-statements.ts'
import type { StatementResult, ThreadData } from './sqlite-thread-worker.ts'

/** A thread with a connection of its own to a SQLite file. It keeps the process alive only while it works. */
export interface SqliteThread {
  /**
   * Runs a statement. The caller waits for one before it sends the next.
   *
   * @throws ThreadEndedError if the thread has ended, or ends while it runs
   */
  execute<R>(statement: Statement): Promise<QueryResult<R>>
  /** Closes the connection after the statement that runs. */
  close(): Promise<void>
  /** Ends the thread as soon as SQLite returns. */
  terminate(): Promise<void>
}

/** The thread ended without a response: it couldn't open the file, or it ran out of memory. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'
}

export function startSqliteThread(data: ThreadData): SqliteThread {
  const worker = new Worker(new URL('./sqlite-thread-worker.ts', import.meta.url), {
    workerData: data,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  worker.unref()
  let running: PromiseWithResolvers<QueryResult<unknown>> | undefined
  let ended: ThreadEndedError | undefined

  function end(cause?: unknown): void {
    ended ??= new ThreadEndedError('the database’s thread ended', { cause })
    running?.reject(ended)
    running = undefined
  }

  const exited = new Promise((resolve) => worker.on('exit', resolve))
  worker.on('error', end)
  worker.on('exit', () => end())
  worker.on('message', (result: StatementResult) => {
    worker.unref()
    const statement = running
    running = undefined
    if ('error' in result) {
      statement?.reject(Object.assign(result.error, { errcode: result.errcode }))
    } else {
      statement?.resolve(result)
    }
  })

  return {
    async execute<R>(statement: Statement) {
      if (ended) throw ended
      worker.postMessage(statement)
      worker.ref()
      running = Promise.withResolvers()
      return (await running.promise) as QueryResult<R>
    },
    async close() {
      worker.ref()
      worker.postMessage('close')
      await exited
    },
    async terminate() {
      await worker.terminate()
    },
  }
}
