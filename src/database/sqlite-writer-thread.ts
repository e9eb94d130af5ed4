import type { DbTransaction, Schema } from './schema.ts'
import { openWriter, type SqliteConnection, type Statement } from './sqlite-connection.ts'
import { CommitError } from './sqlite-errors.ts'
import { answerRequests } from './sqlite-thread.ts'
import { runWrite, type WriteTable } from './write.ts'

export interface SentWrite {
  name: string
  args: readonly unknown[]
}

export type WriterRequest = readonly (SentWrite | Statement)[] | 'empty the log'

export interface Committed {
  results: readonly unknown[]
  beginSeconds: number
  commitSeconds: number
}

/** @param loadWrites called by the first write that is more than a statement, because loading Kysely takes 16 MB */
export function startSqliteWriterThread(loadWrites: () => Promise<WriteTable>): void {
  answerRequests(({ path, timeoutMs }: { path: string; timeoutMs: number }) => {
    const connection = openWriter(path, timeoutMs)
    let loaded: { transaction: DbTransaction; writes: WriteTable } | undefined
    const run = async ({ name, args }: SentWrite): Promise<unknown> => {
      loaded ??= { transaction: await openTransaction(connection), writes: await loadWrites() }
      const definition = loaded.writes[name]
      if (!definition) throw new Error(`src/writes.ts doesn’t list the write “${name}”`)
      return runWrite(loaded.transaction, { run: definition.run, args })
    }
    return {
      answer: (request: WriterRequest) =>
        request === 'empty the log'
          ? connection.run('pragma wal_checkpoint(truncate)').rows
          : commit(connection, request, run),
      close: () => connection.close(),
    }
  })
}

/** @throws CommitError if the statement `commit` fails */
async function commit(
  connection: SqliteConnection,
  writes: readonly (SentWrite | Statement)[],
  run: (write: SentWrite) => Promise<unknown>,
): Promise<Committed> {
  const start = performance.now()
  // Locks the file at once. Without `immediate`, the first write would lock it, and fail if another process has written
  // since the transaction began.
  connection.run('begin immediate')
  const beginSeconds = secondsSince(start)
  const results: unknown[] = []
  try {
    for (const write of writes) {
      results.push('sql' in write ? connection.execute(write) : await run(write))
    }
  } catch (error) {
    connection.rollBack()
    throw error
  }
  const commitStart = performance.now()
  try {
    connection.run('commit')
  } catch (cause) {
    connection.rollBack()
    throw new CommitError('the commit failed', { cause })
  }
  return { results, beginSeconds, commitSeconds: secondsSince(commitStart) }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1_000
}

// Lets Kysely run statements as if in one open transaction. `commit` begins and ends the actual transactions.
async function openTransaction(connection: SqliteConnection): Promise<DbTransaction> {
  const { Kysely } = await import('kysely')
  const { createSqliteDialect } = await import('./sqlite.ts')
  const dialect = createSqliteDialect(() => ({
    execute(statement) {
      // If an error has rolled back the transaction, later statements would be committed without the earlier ones.
      if (!connection.isTransaction) throw new Error('an error has ended the transaction')
      return connection.execute(statement)
    },
    close: () => undefined,
  }))
  const db: unknown = new Kysely<Schema>({ dialect })
  return db as DbTransaction
}
