import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'

/** How long a writer waits for another process's lock before SQLITE_BUSY, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Kysely's SqliteDialect over `node:sqlite`. WAL with `synchronous=FULL`: what was committed
 * survives `kill -9` and a power cut. Every transaction begins IMMEDIATE: a deferred one that
 * turns into a writer beside another process fails at once, whatever the busy timeout says.
 */
export function sqliteDialect(path: string): SqliteDialect {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const sqlite = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  return new SqliteDialect({ database: adapt(sqlite) })
}

/** `node:sqlite` in the shape that Kysely expects; statements are prepared once. */
function adapt(sqlite: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
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
