import type { Dialect } from 'kysely'
import { isSelect } from './dialects.ts'
import { retryWhileBusy, toSqliteError } from './sqlite-errors.ts'
import { sqliteDialectOf } from './sqlite-dialect.ts'
import { openReader, openWriter, prepareFile } from './sqlite-file.ts'
import { Statements } from './sqlite-statements.ts'
import type { SqliteWriter } from './sqlite-writer.ts'

export interface SqliteOptions {
  /** How long a query waits for other processes before it fails, in milliseconds. */
  timeoutMs: number
  /** Whether the file must exist, and stays as it is. */
  mustExist?: boolean
}

/** Kysely's dialect on one connection, for programs that may wait for the disk: migrations and the doctor. */
export function sqliteDialect(
  path: string,
  { timeoutMs, mustExist = false }: SqliteOptions,
): Dialect {
  return sqliteDialectOf(async () => {
    const connection = await mapErrors(timeoutMs, async () => {
      if (!mustExist) await prepareFile(path, timeoutMs)
      return new Statements(openWriter(path))
    })
    return {
      execute: (query) => mapErrors(timeoutMs, () => connection.execute(query)),
      async transact(step) {
        if (step === 'rollback') connection.rollBack()
        else await mapErrors(timeoutMs, () => connection.run(step))
      },
      close: () => connection.close(),
    }
  })
}

/**
 * Kysely's dialect for everything else: reads run here, on a connection of their own, and never wait for a write.
 * Other statements are sent to the thread that writes, so that no commit, which waits for the disk, holds up the event
 * loop.
 */
export function sqliteMainDialect(path: string, writer: SqliteWriter, timeoutMs: number): Dialect {
  return sqliteDialectOf(() => {
    const reader = new Statements(openReader(path))
    return {
      execute: (query) =>
        isSelect(query)
          ? mapErrors(timeoutMs, () => reader.execute(query))
          : writer.execute({ sql: query.sql, parameters: query.parameters }),
      close: () => reader.close(),
    }
  })
}

async function mapErrors<T>(timeoutMs: number, task: () => T | Promise<T>): Promise<T> {
  try {
    return await retryWhileBusy(timeoutMs, task)
  } catch (error) {
    throw toSqliteError(error)
  }
}
