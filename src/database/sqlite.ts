import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

/** How long a writer waits for another process's lock before SQLITE_BUSY, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5
const BUSY_PAUSE_MS = 20

/** Statements kept prepared. Texts vary with the length of lists, so there must be an end to it. */
const MAX_PREPARED = 200

/**
 * Kysely's SqliteDialect over `node:sqlite`. WAL with `synchronous=FULL`: what was committed
 * survives `kill -9` and a power cut. Every transaction begins IMMEDIATE: a deferred one that
 * turns into a writer beside another process fails at once, whatever the busy timeout says.
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

/** Making a new file a WAL one fails at once beside another process: SQLite's timeout is not asked. */
async function enterWal(sqlite: DatabaseSync): Promise<void> {
  const end = Date.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      sqlite.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
      if (!isBusy || Date.now() > end) throw error
      await sleep(BUSY_PAUSE_MS)
    }
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter()
  }
}

/**
 * Lets Kysely migrate inside a transaction, which SQLite can. It is also the lock between
 * processes that start at once: Kysely takes none of its own on SQLite.
 */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** `node:sqlite` in the shape that Kysely expects; statements are prepared once. */
function adapt(sqlite: DatabaseSync): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: MAX_PREPARED })
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const text = sql === 'begin' ? 'begin immediate' : sql
      const known = prepared.get(text)
      if (known) return known
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
