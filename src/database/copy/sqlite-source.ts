import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CopyError } from '../errors.ts'
import { recordedIn, schemaVersion } from '../migrations.ts'
import { isDamaged, SQLITE, sqliteCode } from '../sqlite-errors.ts'
import type { Values } from './tables.ts'

/** A SQLite database that no process changes while it is copied. */
export interface Source {
  columns(table: string): { name: string; isKey: boolean }[]
  count(table: string): number
  /** Reads rows one after the other. @param where an SQL condition */
  rows(table: string, columns: readonly string[], where: string): Iterable<Values>
  /** Lets other processes write again. */
  close(): void
}

/**
 * Opens a SQLite file and keeps other processes from writing until it is closed. Nothing in the file changes, except
 * that its write-ahead log is moved into it.
 *
 * @throws CopyError if another process uses the file, or if it is not a database of this version of Backhalf
 */
export function openSource(path: string): Source {
  if (!existsSync(path)) throw new CopyError(`There is no database at ${path}.`)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    lock(database)
    checkVersion(database)
  } catch (cause) {
    database.close()
    throw asCopyError(cause, path)
  }
  return {
    columns: (table) =>
      database
        .prepare('select name, pk from pragma_table_info(?)')
        .all(table)
        .map(({ name, pk }) => ({ name: String(name), isKey: Number(pk) > 0 })),
    count: (table) =>
      Number(database.prepare(`select count(*) as count from "${table}"`).get()?.['count']),
    rows(table, columns, where) {
      const statement = database.prepare(
        `select ${columns.join(', ')} from "${table}" where ${where}`,
      )
      statement.setReturnArrays(true)
      return statement.iterate() as Iterable<unknown> as Iterable<Values>
    },
    close: () => database.close(),
  }
}

/**
 * SQLite leaves the mode with a write-ahead log only if no other process has the database open. The transaction then
 * keeps others from writing. A file on a read-only disk needs neither.
 */
function lock(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    if (sqliteCode(error) !== SQLITE.READONLY) throw error
    database.exec('BEGIN')
  }
}

function checkVersion(database: DatabaseSync): void {
  const { problem, pending } = schemaVersion(recordedIn(database))
  if (problem !== undefined) throw new CopyError(`The SQLite database can’t be copied. ${problem}`)
  if (pending.length > 0) {
    throw new CopyError(
      'The SQLite database is from an earlier version of Backhalf. Start this version with it once, stop it, and try again.',
    )
  }
}

function asCopyError(cause: unknown, path: string): CopyError {
  if (cause instanceof CopyError) return cause
  if (sqliteCode(cause) === SQLITE.BUSY) {
    return new CopyError(
      'The SQLite database is in use. Stop every process of Backhalf first, so that nothing is written that would not be copied.',
      { cause },
    )
  }
  const isOther = cause instanceof Error && cause.message.includes('no such table')
  const reason =
    isOther || isDamaged(cause)
      ? 'It is not a database of Backhalf, or it is damaged'
      : 'It can’t be opened'
  return new CopyError(`${reason}: ${path}`, { cause })
}
