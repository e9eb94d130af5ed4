import type { QueryResult } from 'kysely'
import { getPriority, platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openReader, openWriter } from './sqlite-file.ts'
import { Statements, type Statement } from './sqlite-statements.ts'

/* A thread with a connection of its own to a SQLite file (sqlite-thread.ts). */

export interface ThreadData {
  path: string
  mode: 'read' | 'write'
}

/** The thread's response. An error's code is lost on the way between threads, so it is sent separately. */
export type StatementResult = QueryResult<unknown> | { error: Error; errcode: number | undefined }

/** How long a read waits if another process has locked the file. */
const READ_TIMEOUT_MS = 5_000

/** How much lower the priority of long reads is, so that redirects continue if both need the same core. */
const LOWER_BY = 5
const LOWEST = 19

const { path, mode } = workerData as ThreadData
// On Linux, this is the priority of the thread. On other systems, it is that of the whole process.
if (mode === 'read' && platform() === 'linux')
  setPriority(Math.min(getPriority() + LOWER_BY, LOWEST))
const statements = new Statements(
  mode === 'read' ? openReader(path, READ_TIMEOUT_MS) : openWriter(path),
)

parentPort?.on('message', (message: Statement | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(execute(message))
  statements.close()
  parentPort?.close()
})

function execute(statement: Statement): StatementResult {
  try {
    return statements.execute(statement)
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const errcode = 'errcode' in error ? Number(error.errcode) : undefined
    return { error: new Error(error.message), errcode }
  }
}
