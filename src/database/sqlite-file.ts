import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { retryWhileBusy } from './retry-while-busy.ts'

/** The two connections to a SQLite file. Neither ever waits for a lock. */
export interface SqliteFile {
  /** Writes, and reads inside transactions. */
  writer: DatabaseSync
  /** Reads everything else. A write-ahead log lets it read during writes. */
  reader: DatabaseSync
}

/**
 * Opens a SQLite file, and creates it and its folder if they don't exist. Only the user who runs
 * Backhalf can read them. With WAL and `synchronous=FULL`, committed data survives `kill -9` and a
 * power cut. `secure_delete` overwrites what is deleted, so that no deleted token stays in the file.
 *
 * @param timeoutMs how long to wait if another process has locked the file, in milliseconds
 */
export async function openSqliteFile(path: string, timeoutMs: number): Promise<SqliteFile> {
  makePrivate(path)
  const opened: DatabaseSync[] = []
  try {
    const writer = new DatabaseSync(path, { timeout: 0 })
    opened.push(writer)
    // Without a busy timeout, SQLite reports a lock at once, and we wait without blocking.
    await retryWhileBusy(timeoutMs, () => writer.exec('PRAGMA journal_mode = WAL'))
    writer.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
    const reader = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    opened.push(reader)
    return { writer, reader }
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error
  }
}

/**
 * SQLite gives its log the permissions that the file has at that moment. A file of another user, or
 * on a read-only disk, keeps its own.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) === 0) continue
    try {
      chmodSync(file, mode & 0o700)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== 'EPERM' && code !== 'EROFS') throw error
    }
  }
}
