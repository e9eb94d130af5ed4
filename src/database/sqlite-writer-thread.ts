import type { DbTransaction, Schema } from './schema.ts'
import { openWriter, type SqliteConnection, type Statement } from './sqlite-connection.ts'
import { answerRequests } from './sqlite-thread.ts'
import { runWrite, type WriteTable } from './write.ts'

export interface SentWrite {
  name: string
  args: readonly unknown[]
}

interface WriterOptions {
  path: string
  timeoutMs: number
}

export type WriterRequest = readonly (SentWrite | Statement)[] | 'empty the log'

export interface Committed {
  results: readonly unknown[]
  beginSeconds: number
  commitSeconds: number
}

/**
 * Answers the requests of createSqliteWriter in the writer thread: runs writes in one transaction.
 * @param loadWrites called by the first write that is more than a statement, because Kysely takes 16 MB
 */
export function startSqliteWriterThread(loadWrites: () => Promise<WriteTable>): void {
  answerRequests(({ path, timeoutMs }: WriterOptions) => {
    // Opened by the first request, so that a file that can't be opened fails only requests.
    let opened: SqliteConnection | undefined
    let loaded: { transaction: DbTransaction; writes: WriteTable } | undefined
    return {
      answer(request: WriterRequest) {
        const connection = (opened ??= openWriter(path, timeoutMs))
        if (request === 'empty the log') {
          return connection.run('pragma wal_checkpoint(truncate)').rows
        }
        const run = async ({ name, args }: SentWrite): Promise<unknown> => {
          loaded ??= {
            transaction: await openTransaction(connection),
            writes: await loadWrites(),
          }
          const definition = loaded.writes[name]
          if (!definition) throw new Error(`src/writes.ts doesn’t list the write “${name}”`)
          return runWrite(loaded.transaction, { definition, args })
        }
        return commit(connection, request, run)
      },
      close: () => opened?.close(),
    }
  })
}

async function commit(
  connection: SqliteConnection,
  writes: readonly (SentWrite | Statement)[],
  run: (write: SentWrite) => Promise<unknown>,
): Promise<Committed> {
  const start = performance.now()
  // Locks the file at once, because a transaction that only later starts to write could fail at that moment.
  connection.run('begin immediate')
  const beginSeconds = secondsSince(start)
  let isCommitting = false
  try {
    const results: unknown[] = []
    for (const write of writes) {
      results.push('sql' in write ? connection.execute(write) : await run(write))
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

/** Opens a connection that looks like an open transaction to Kysely. */
async function openTransaction(connection: SqliteConnection): Promise<DbTransaction> {
  const { Kysely } = await import('kysely')
  const { createSqliteDialect } = await import('./sqlite.ts')
  const dialect = createSqliteDialect(() => ({
    execute(statement) {
      // Otherwise, only the rest of the transaction would be committed.
      if (!connection.isTransaction) throw new Error('an error has ended the transaction')
      return connection.execute(statement)
    },
    close: () => undefined,
  }))
  const db: unknown = new Kysely<Schema>({ dialect })
  return db as DbTransaction
}
