import {
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type Dialect,
  type QueryResult,
} from 'kysely'
import { systemClock } from '../timing/clock.ts'
import { retry } from '../timing/retry.ts'
import { isSelect } from './dialects.ts'
import type { Db } from './schema.ts'
import { openReader, openWriter, prepareFile, type Statement } from './sqlite-connection.ts'
import { SQLITE, sqliteCode, toSqliteError } from './sqlite-errors.ts'
import type { SqliteFile } from './sqlite-file.ts'

interface SqliteOptions {
  timeoutMs: number
  /** `write` and `read` need an existing file. A `read` transaction sees the file as it was at its first read. */
  access?: 'create' | 'write' | 'read'
}

/** Kysely's dialect on one connection, for programs that can wait for the disk: migrations, exports and the doctor. */
export function sqliteDialect(path: string, { timeoutMs, access = 'create' }: SqliteOptions) {
  return createSqliteDialect(async () => {
    const connection = await retryWhileBusy(timeoutMs, () => {
      if (access === 'read') return openReader(path)
      if (access === 'create') prepareFile(path)
      return openWriter(path)
    })
    return {
      execute: (query) => retryWhileBusy(timeoutMs, () => connection.execute(query)),
      async transact(step) {
        if (step === 'rollback') return connection.rollBack()
        const statement = access === 'read' && step !== 'commit' ? 'begin' : step
        await retryWhileBusy(timeoutMs, () => connection.run(statement))
      },
      close: () => connection.close(),
    }
  })
}

/**
 * Kysely's dialect for the app and the service. Reads run in this thread, and never wait for a write. Other statements
 * run in the writer thread, which waits for the disk.
 */
export function sqliteMainDialect(
  file: SqliteFile,
  writer: { execute<R>(statement: Statement): Promise<QueryResult<R>> },
  timeoutMs: number,
): Dialect {
  return createSqliteDialect(() => {
    const reader = openReader(file.path)
    return {
      execute: (query) => {
        if (isSelect(query)) {
          file.checkReadable()
          return retryWhileBusy(timeoutMs, () => reader.execute(query))
        }
        return writer.execute({ sql: query.sql, parameters: query.parameters })
      },
      close: () => reader.close(),
    }
  })
}

const RETRY_MS = 20

async function retryWhileBusy<T>(timeoutMs: number, task: () => T): Promise<T> {
  const deadline = performance.now() + timeoutMs
  const waitAfter = (error: unknown): number | undefined =>
    sqliteCode(error) === SQLITE.BUSY && performance.now() <= deadline ? RETRY_MS : undefined
  try {
    return await retry({ clock: systemClock, waitAfter }, task)
  } catch (error) {
    throw toSqliteError(error)
  }
}

interface SqliteExecutor {
  execute<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>>
  transact?(step: 'begin immediate' | 'commit' | 'rollback'): void | Promise<void>
  close(): void | Promise<void>
}

/** Builds a Kysely dialect of SQLite from an executor of queries. @param open called by the first query */
export function createSqliteDialect(open: () => SqliteExecutor | Promise<SqliteExecutor>): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver() {
      let executor: SqliteExecutor | undefined
      // All queries share a connection. Kysely wraps each new one for its log, which takes as long as a short read.
      const connection = {
        async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
          if (!executor) throw new Error('the database is not open')
          return executor.execute<R>(query)
        },
        streamQuery(): never {
          throw new Error('queries of SQLite can’t be streamed')
        },
      }
      const transact = async (step: 'begin immediate' | 'commit' | 'rollback'): Promise<void> => {
        if (!executor?.transact) throw new Error('a transaction must be a write (write.ts)')
        await executor.transact(step)
      }
      return {
        async init() {
          executor = await open()
        },
        acquireConnection: async () => connection,
        // Locks the file at once. Without `immediate`, the first write of the transaction could fail.
        beginTransaction: () => transact('begin immediate'),
        commitTransaction: () => transact('commit'),
        rollbackTransaction: () => transact('rollback'),
        releaseConnection: async () => undefined,
        async destroy() {
          await executor?.close()
        },
      }
    },
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  // The executor makes queries wait for each other if necessary.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

// Checking takes a second for each 70 MB, so larger files aren't checked at the start.
const MAX_CHECKED_BYTES = 64 * 2 ** 20

export async function checkIntact(db: Db): Promise<void> {
  const { rows: sizes } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
  if ((sizes[0]?.bytes ?? 0) > MAX_CHECKED_BYTES) return
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const result = rows[0]?.quick_check
  if (result !== 'ok')
    throw new Error(`the file is damaged (${result ?? 'the check returned nothing'})`)
}
