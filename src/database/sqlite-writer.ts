import type { QueryResult } from 'kysely'
import { DatabaseUnavailableError } from './errors.ts'
import type { Statement } from './sqlite-statements.ts'
import { startSqliteThread, ThreadEndedError, type SqliteThread } from './sqlite-thread.ts'

/** Runs the statements that write. The caller waits for one before it sends the next. */
export interface SqliteWriter {
  /** @throws if the statement's transaction has ended, so that no half of it is committed */
  execute<R>(statement: Statement): QueryResult<R> | Promise<QueryResult<R>>
  close(): void | Promise<void>
}

/**
 * Writes in a thread, which starts with the first statement. If it ends by itself, the statement and
 * its transaction fail, and the next ones get another thread.
 */
export function createThreadWriter(path: string): SqliteWriter {
  let thread: SqliteThread | undefined

  return {
    async execute<R>(statement: Statement) {
      thread ??= startSqliteThread({ path, mode: 'write' })
      try {
        return await thread.execute<R>(statement)
      } catch (error) {
        if (!(error instanceof ThreadEndedError)) throw error
        thread = undefined
        const { sql, inTransaction = false } = statement
        const mayHaveCommitted = sql === 'commit' || !inTransaction
        throw new DatabaseUnavailableError('the thread that writes ended', {
          cause: error,
          mayHaveCommitted,
        })
      }
    },
    async close() {
      await thread?.close()
    },
  }
}
