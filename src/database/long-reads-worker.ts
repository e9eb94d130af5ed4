import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/* The thread that runs long reads of a SQLite database (long-reads.ts), one at a time. */

/** A query for the thread. */
export interface LongRead {
  sql: string
  parameters: readonly unknown[]
}

/** The thread's response. An error's code is lost on the way between threads, so it is sent apart. */
export type LongReadResult = { rows: unknown[] } | { error: Error; errcode: number | undefined }

const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5_000 })

parentPort?.on('message', ({ sql, parameters }: LongRead) => {
  parentPort?.postMessage(read(sql, parameters))
})

function read(sql: string, parameters: readonly unknown[]): LongReadResult {
  try {
    return { rows: database.prepare(sql).all(...(parameters as SQLInputValue[])) }
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const errcode = 'errcode' in error ? Number(error.errcode) : undefined
    return { error: new Error(error.message), errcode }
  }
}
