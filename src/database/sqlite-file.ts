import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { retryWhileBusy } from './sqlite-errors.ts'

/**
 * Creates a SQLite file and its folder if they don't exist. Only the user who runs Backhalf can read
 * them. A write-ahead log lets others read during writes.
 *
 * @param timeoutMs how long to wait if another process has locked the file, in milliseconds
 */
export async function prepareFile(path: string, timeoutMs: number): Promise<void> {
  makePrivate(path)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    await retryWhileBusy(timeoutMs, () => database.exec('PRAGMA journal_mode = WAL'))
  } finally {
    database.close()
  }
}

/**
 * Opens a connection that writes. It reports a lock at once instead of waiting for it. With
 * `synchronous=FULL`, committed data survives `kill -9` and a power cut. `secure_delete` overwrites
 * what is deleted, so that no deleted token stays in the file. What SQLite needs to undo a single statement stays in
 * memory: otherwise, most commits would create and remove a file.
 */
export function openWriter(path: string): DatabaseSync {
  const existing = pathToFileURL(path)
  existing.search = 'mode=rw' // A file that has vanished is not replaced by an empty one.
  const writer = new DatabaseSync(existing, { timeout: 0 })
  writer.exec(`PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY`)
  return writer
}

/** @param timeoutMs how long a read may block its thread if the file is locked, in milliseconds */
export function openReader(path: string, timeoutMs = 0): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: timeoutMs })
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
