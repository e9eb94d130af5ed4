import { LRUCache } from 'lru-cache'
import { SelectQueryNode, type CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Dialect, Driver, QueryResult } from 'kysely'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { retryWhileBusy } from './retry-while-busy.ts'
import { sqliteDialectOf } from './sqlite-dialect.ts'
import { toSqliteError } from './sqlite-errors.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { createWriteLock, type WriteLock } from './write-lock.ts'

/** How many prepared statements are kept. Limited, because SQL varies with the length of lists. */
const MAX_PREPARED = 200

/**
 * Kysely's dialect on top of `node:sqlite`. Reads outside of transactions have a connection of their
 * own and never wait. Writes wait for each other, and for other processes without blocking the event
 * loop.
 *
 * @param timeoutMs how long a write waits before it fails, in milliseconds
 */
export function sqliteDialect(path: string, timeoutMs: number): Dialect {
  return sqliteDialectOf(() => new NodeSqliteDriver(path, timeoutMs))
}

/** What the connections of a driver share. */
interface Shared {
  readonly reader: Statements
  readonly writer: Statements
  readonly lock: WriteLock
  readonly timeoutMs: number
}

class NodeSqliteDriver implements Driver {
  readonly #path: string
  readonly #timeoutMs: number
  #shared: Shared | undefined

  constructor(path: string, timeoutMs: number) {
    this.#path = path
    this.#timeoutMs = timeoutMs
  }

  async init(): Promise<void> {
    const { reader, writer } = await openSqliteFile(this.#path, this.#timeoutMs).catch(
      (error: unknown) => {
        throw toSqliteError(error)
      },
    )
    this.#shared = {
      reader: new Statements(reader),
      writer: new Statements(writer),
      lock: createWriteLock(),
      timeoutMs: this.#timeoutMs,
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
    connection.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#shared?.reader.close()
    this.#shared?.writer.close()
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
      if (this.#release) return writer.execute(query)
      if (isSelect(query)) return await retryWhileBusy(timeoutMs, () => reader.execute(query))
      const { result, release } = await this.#waitToWrite(() => writer.execute<R>(query))
      release()
      return result
    } catch (error) {
      throw toSqliteError(error)
    }
  }

  streamQuery(): never {
    throw new Error('queries of SQLite can’t be streamed')
  }

  /** Transactions begin IMMEDIATE: one that only later starts to write could fail at that moment. */
  async begin(): Promise<void> {
    const { writer } = this.#shared
    try {
      this.#release = (await this.#waitToWrite(() => writer.run('begin immediate'))).release
    } catch (error) {
      throw toSqliteError(error)
    }
  }

  /** If it fails, Kysely rolls back. */
  commit(): void {
    try {
      this.#shared.writer.run('commit')
    } catch (error) {
      throw toSqliteError(error, true)
    }
    this.#end()
  }

  rollback(): void {
    this.#shared.writer.rollback()
    this.#end()
  }

  #end(): void {
    this.#release?.()
    this.#release = undefined
  }

  /** Runs a task as soon as it can write. The caller then lets others write. */
  async #waitToWrite<T>(task: () => T): Promise<{ result: T; release: () => void }> {
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

/** Raw SQL counts as a read only if it starts with `select`. */
function isSelect({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || /^\s*select\b/i.test(sql)
}

/** A connection to the file that keeps its statements prepared. */
class Statements {
  readonly #sqlite: DatabaseSync
  readonly #prepared = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: MAX_PREPARED,
    memoMethod: (sql) => {
      const statement = this.#sqlite.prepare(sql)
      return { statement, returnsRows: statement.columns().length > 0 }
    },
  })

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = this.#prepared.memo(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] }
  }

  run(sql: string): void {
    this.#prepared.memo(sql).statement.run()
  }

  /** Ends a transaction, unless an error has already ended it. */
  rollback(): void {
    if (this.#sqlite.isTransaction) this.run('rollback')
  }

  close(): void {
    this.#prepared.clear()
    this.#sqlite.close()
  }
}
