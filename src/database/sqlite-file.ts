import { renameSync, statSync } from 'node:fs'
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
  const identify = (suffix: string): string | undefined => {
    const found = statSync(path + suffix, { throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  }
  let opened: (readonly [suffix: string, id: string])[] = []
  let isReplaced = false

  const isGone = ([suffix, id]: readonly [string, string]): boolean => identify(suffix) !== id

  /** The next process to open the new file would apply a log that doesn't belong to it. */
  function setLogAside(): void {
    const [file, ...logs] = opened
    if (!file || !isGone(file)) return
    const kept = `${path}.replaced-${new Date().toISOString().replaceAll(':', '-')}`
    for (const log of logs) if (!isGone(log)) renameSync(path + log[0], kept + log[0])
  }

  return {
    path,
    /** Remembers which files are open, once they are. */
    remember(): void {
      opened = ['', ...LOG_SUFFIXES].flatMap((suffix) => {
        const id = identify(suffix)
        return id === undefined ? [] : [[suffix, id] as const]
      })
    },
    /** @throws DatabaseUnavailableError if a file was replaced or deleted, from then on each time */
    check(): void {
      if (!isReplaced && opened.some(isGone)) {
        isReplaced = true
        setLogAside()
      }
      if (isReplaced) throw new DatabaseUnavailableError(REPLACED)
    },
  }
}
