import { realpathSync, renameSync, statSync } from 'node:fs'
import { DatabaseUnavailableError } from './errors.ts'

/** What SQLite keeps next to its file: the write-ahead log and the log's index. */
export const LOG_SUFFIXES = ['-wal', '-shm']

/** Explains what to do. The health check shows it, so it names no path. */
const REPLACED =
  'its file, or the log next to it (-wal), was replaced or deleted while Backhalf was running. Nothing is written ' +
  'anymore. Stop Backhalf, put the right file in place or restore a backup (npm run admin -- restore FILE), and start ' +
  'Backhalf again'

export type SqliteFile = ReturnType<typeof createSqliteFile>

/**
 * Notices if a SQLite file that this process has open is replaced or deleted. SQLite doesn't: it would go on writing to the
 * earlier file, and its log would damage the new one.
 */
export function createSqliteFile(path: string) {
  /** The device and inode of each open file, until it is found to be gone. */
  const opened = new Map<string, string>()
  let isReplaced = false

  function identify(file: string): string | undefined {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  }

  /** The next process to open the new file would apply a log that doesn't belong to it. */
  function setLogAside(): void {
    const kept = `.replaced-${new Date().toISOString().replaceAll(':', '-')}$&`
    for (const log of opened.keys()) renameSync(log, log.replace(/-\w+$/, kept))
    opened.clear()
  }

  return {
    path,
    /** Remembers which files are open, once they are. */
    remember(): void {
      const real = realpathSync(path) // If it is a link, the log is next to the file.
      for (const file of [path, ...LOG_SUFFIXES.map((suffix) => real + suffix)]) {
        const id = identify(file)
        if (id !== undefined) opened.set(file, id)
      }
    },
    /** @throws DatabaseUnavailableError if a file was replaced or deleted, from then on each time */
    check(): void {
      for (const [file, id] of opened) {
        if (identify(file) === id) continue
        opened.delete(file)
        isReplaced = true
      }
      if (isReplaced && !opened.has(path)) setLogAside()
      if (isReplaced) throw new DatabaseUnavailableError(REPLACED)
    },
  }
}
