import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

/** How long a writer waits for another process's lock before SQLITE_BUSY, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

/** SQLite's result code if another process has locked the file. */
const SQLITE_BUSY = 5
const BUSY_RETRY_MS = 20

/** How many prepared statements are kept. Limited, because SQL varies with the length of lists. */
const MAX_PREPARED = 200

/**
 * Kysely's SqliteDialect on top of `node:sqlite`. With WAL and `synchronous=FULL`, committed data
 * survives `kill -9` and a power cut. Every transaction begins IMMEDIATE, because a deferred one
 * that becomes a writer while another process writes fails at once, regardless of the busy timeout.
 */
export async function sqliteDialect(path: string): Promise<SqliteDialect> {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const sqlite = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    await enterWal(sqlite)
    sqlite.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  } catch (error) {
    sqlite.close()
    throw error
  }
  return new NodeSqliteDialect({ database: adapt(sqlite) })
}

/** Switches to WAL. If another process uses the file, SQLite fails at once, so we retry here. */
async function enterWal(sqlite: DatabaseSync): Promise<void> {
  const end = Date.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      sqlite.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
      if (!isBusy || Date.now() > end) throw error
      await sleep(BUSY_RETRY_MS)
    }
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter()
  }
}

/**
 * Makes Kysely migrate inside a transaction, which SQLite supports. The transaction also serves as
 * the lock between processes that start at once, because Kysely has no lock of its own on SQLite.
 */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Gives `node:sqlite` the interface that Kysely expects, and keeps statements prepared. */
function adapt(sqlite: DatabaseSync): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: MAX_PREPARED })
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const text = sql === 'begin' ? 'begin immediate' : sql
      const cached = prepared.get(text)
      if (cached) return cached
      const statement = adaptStatement(sqlite.prepare(text))
      prepared.set(text, statement)
      return statement
    },
  }
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  }
}
