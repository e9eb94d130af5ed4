import type { QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { errorCode } from '../values/unknown-values.ts'

// How many statements stay prepared. Without a limit, there would be too many: lists make their SQL vary in length.
const MAX_PREPARED = 200

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export class SqliteConnection {
  readonly #sqlite: DatabaseSync
  readonly #prepared = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: MAX_PREPARED,
    memoMethod: (sql) => {
      const statement = this.#sqlite.prepare(sql)
      const returnsRows = statement.columns().length > 0
      // The search index has row ids above 2^53. Without BigInts, `run` would throw when it returns the id of the last
      // row, although the statement has run.
      if (!returnsRows) statement.setReadBigInts(true)
      return { statement, returnsRows }
    },
  })

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }

  execute<R>({ sql, parameters }: Statement): QueryResult<R> {
    const { statement, returnsRows } = this.#prepared.memo(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] }
  }

  run<R>(sql: string): QueryResult<R> {
    return this.execute({ sql, parameters: [] })
  }

  rollBack(): void {
    if (this.#sqlite.isTransaction) this.run('rollback') // An error might have ended it already.
  }

  get isTransaction(): boolean {
    return this.#sqlite.isTransaction
  }

  close(): void {
    this.#prepared.clear()
    this.#sqlite.close()
  }
}

/** Creates a SQLite file if it doesn't exist. Its log (WAL) lets reads and writes run without waiting for each other. */
export function prepareFile(path: string): void {
  makePrivate(path)
  using database = new DatabaseSync(path, { timeout: 0 })
  database.exec('PRAGMA journal_mode = WAL')
}

/** @param timeoutMs how long a statement can block the thread while another process has locked the file */
export function openWriter(path: string, timeoutMs = 0): SqliteConnection {
  const url = pathToFileURL(path)
  url.search = 'mode=rw' // If the file has been deleted, SQLite doesn't create an empty one.
  const writer = new DatabaseSync(url, { timeout: timeoutMs })
  // With `synchronous = FULL`, committed data survives `kill -9` and a power cut. `secure_delete` overwrites deleted
  // tokens. Without `temp_store`, most commits would create and remove a file.
  writer.exec(`PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY`)
  return new SqliteConnection(writer)
}

export function openReader(path: string, timeoutMs = 0): SqliteConnection {
  return new SqliteConnection(new DatabaseSync(path, { readOnly: true, timeout: timeoutMs }))
}

// Only the user who runs Backhalf can read the file and its log. SQLite gives a new log the permissions of the file.
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) === 0) continue
    try {
      chmodSync(file, mode & 0o700)
    } catch (error) {
      // A file of another user, or on a read-only disk, keeps its permissions.
      const code = errorCode(error)
      if (code !== 'EPERM' && code !== 'EROFS') throw error
    }
  }
}
