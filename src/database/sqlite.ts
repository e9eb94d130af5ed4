import { SelectQueryNode, type CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Dialect, Driver, QueryResult } from 'kysely'
import type { PoolMetrics } from '../metrics/database-metrics.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { sqliteDialectOf } from './sqlite-dialect.ts'
import { toSqliteError } from './sqlite-errors.ts'
import { openReader, openWriter, prepareFile } from './sqlite-file.ts'
import { Statements, type Statement } from './sqlite-statements.ts'
import { createThreadWriter, type SqliteWriter } from './sqlite-writer.ts'
import { createWriteLock, type WriteLock } from './write-lock.ts'

/** Transactions begin IMMEDIATE: one that only later starts to write could fail at that moment. */
const BEGIN: Statement = { sql: 'begin immediate', parameters: [] }
const COMMIT: Statement = { sql: 'commit', parameters: [], inTransaction: true }
const ROLLBACK: Statement = { sql: 'rollback', parameters: [], inTransaction: true }

export interface SqliteOptions {
  /** How long a write waits before it fails, in milliseconds. */
  timeoutMs: number
  /**
   * Whether writes and transactions run in a thread, so that no commit, which waits for the disk,
   * holds up the event loop.
   */
  writeInThread?: boolean
  /** Whether the file must exist, and stays as it is. */
  mustExist?: boolean
  /** Receives a function that returns how many writes wait. */
  watch?: PoolMetrics['watch'] | undefined
}

/**
 * Kysely's dialect on top of `node:sqlite`. Reads outside of transactions have a connection of their
 * own and never wait. Writes wait for each other, and for other processes without blocking the event
 * loop.
 */
export function sqliteDialect(path: string, options: SqliteOptions): Dialect {
  return sqliteDialectOf(() => new NodeSqliteDriver(path, options))
}

/** What the connections of a driver share. */
interface Shared {
  readonly reader: Statements
  readonly writer: SqliteWriter
  readonly lock: WriteLock
  readonly timeoutMs: number
}

class NodeSqliteDriver implements Driver {
  readonly #path: string
  readonly #options: SqliteOptions
  #shared: Shared | undefined

  constructor(path: string, options: SqliteOptions) {
    this.#path = path
    this.#options = options
  }

  async init(): Promise<void> {
    const { timeoutMs, writeInThread = false, mustExist = false, watch } = this.#options
    try {
      if (!mustExist) await prepareFile(this.#path, timeoutMs)
      const lock = createWriteLock()
      watch?.(() => ({ waiting: lock.waiting() }))
      this.#shared = {
        reader: new Statements(openReader(this.#path)),
        writer: writeInThread
          ? createThreadWriter(this.#path)
          : new Statements(openWriter(this.#path)),
        lock,
        timeoutMs,
      }
    } catch (error) {
      throw toSqliteError(error)
    }
  }

  async acquireConnection(): Promise<SqliteConnection> {
    if (!this.#shared) throw new Error('the database is not open')
    return new SqliteConnection(this.#shared)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#shared?.reader.close()
    // The last connection to close empties the log. Only one that can write does that.
    await this.#shared?.writer.close()
  }
}

/** One of any number of connections for Kysely. All of them share two connections to the file. */
class SqliteConnection implements DatabaseConnection {
  readonly #shared: Shared
  /** Set during a transaction. */
  #release: (() => void) | undefined

  constructor(shared: Shared) {
    this.#shared = shared
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer, timeoutMs } = this.#shared
    try {
      if (this.#release) return await writer.execute({ ...toStatement(query), inTransaction: true })
      if (isSelect(query)) return await retryWhileBusy(timeoutMs, () => reader.execute<R>(query))
      const { result, release } = await this.#waitToWrite(() =>
        writer.execute<R>(toStatement(query)),
      )
      release()
      return result
    } catch (error) {
      throw toSqliteError(error)
    }
  }

  streamQuery(): never {
    throw new Error('queries of SQLite can’t be streamed')
  }

  async begin(): Promise<void> {
    try {
      const { release } = await this.#waitToWrite(() => this.#shared.writer.execute(BEGIN))
      this.#release = release
    } catch (error) {
      throw toSqliteError(error)
    }
  }

  /** If it fails, Kysely rolls back. */
  async commit(): Promise<void> {
    try {
      await this.#shared.writer.execute(COMMIT)
    } catch (error) {
      throw toSqliteError(error, true)
    }
    this.#end()
  }

  async rollback(): Promise<void> {
    try {
      await this.#shared.writer.execute(ROLLBACK)
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#release?.()
    this.#release = undefined
  }

  /** Runs a task as soon as it can write. The caller then lets others write. */
  async #waitToWrite<T>(task: () => T | Promise<T>): Promise<{ result: T; release: () => void }> {
    const { lock, timeoutMs } = this.#shared
    const end = performance.now() + timeoutMs
    const release = await lock.acquire(timeoutMs)
    try {
      return { result: await retryWhileBusy(end - performance.now(), task), release }
    } catch (error) {
      release()
      throw error
    }
  }
}

/** Only what a thread can be sent. */
function toStatement({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters }
}

/** Raw SQL counts as a read only if it starts with `select`. */
export function isSelect({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql)
}
