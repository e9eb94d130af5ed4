import type { Transaction } from 'kysely'
import type { Schema } from './schema.ts'
import { openWriter, type SqliteConnection, type Statement } from './sqlite-connection.ts'
import { answerRequests } from './sqlite-thread.ts'
import { runWrite, type Write } from './write.ts'

/* The thread that writes to a SQLite file (sqlite-writer.ts). */

interface WriterOptions {
  path: string
  timeoutMs: number
}

export type WriterRequest = readonly (Write<unknown> | Statement)[] | 'empty the log'

export interface Committed {
  results: readonly unknown[]
  beginSeconds: number
  commitSeconds: number
}

answerRequests(({ path, timeoutMs }: WriterOptions) => {
  // Opened by the first request, so that a file that can't be opened fails only requests.
  let opened: Writer | undefined
  return {
    answer(request: WriterRequest) {
      const writer = (opened ??= { connection: openWriter(path, timeoutMs) })
      if (request !== 'empty the log') return commit(writer, request)
      return writer.connection.run('pragma wal_checkpoint(truncate)').rows
    },
    close: () => opened?.connection.close(),
  }
})

interface Writer {
  connection: SqliteConnection
  /** A connection that looks like an open transaction to Kysely. Loaded late, because Kysely takes 16 MB. */
  transaction?: Transaction<Schema>
}

async function commit(
  writer: Writer,
  writes: readonly (Write<unknown> | Statement)[],
): Promise<Committed> {
  const { connection } = writer
  const start = performance.now()
  // A transaction that only later starts to write could fail at that moment.
  connection.run('begin immediate')
  const beginSeconds = secondsSince(start)
  let isCommitting = false
  try {
    const results: unknown[] = []
    for (const write of writes) {
      results.push(
        'sql' in write
          ? connection.execute(write)
          : await runWrite((writer.transaction ??= await openTransaction(connection)), write),
      )
    }
    const committing = performance.now()
    isCommitting = true
    connection.run('commit')
    return { results, beginSeconds, commitSeconds: secondsSince(committing) }
  } catch (error) {
    connection.rollBack()
    throw Object.assign(error as Error, { isCommitting })
  }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1_000
}

async function openTransaction(connection: SqliteConnection): Promise<Transaction<Schema>> {
  const { Kysely } = await import('kysely')
  const { sqliteDialectOf } = await import('./sqlite.ts')
  const dialect = sqliteDialectOf(() => ({
    execute(statement) {
      // Otherwise, only the rest of the transaction would be committed.
      if (!connection.isTransaction) throw new Error('an error has ended the transaction')
      return connection.execute(statement)
    },
    close: () => undefined,
  }))
  const db: unknown = new Kysely<Schema>({ dialect })
  return db as Transaction<Schema>
}
