import { openSync, readSync, realpathSync, renameSync, statSync } from 'node:fs'
import { DatabaseUnavailableError } from './errors.ts'

export const LOG_SUFFIXES = ['-wal', '-shm']

/** The health check shows this, so it names no path. */
const REPLACED =
  'its file, or the log next to it (-wal), was replaced, overwritten or deleted while Backhalf was running. Nothing is written ' +
  'anymore. Stop Backhalf, put the right file in place or restore a backup (npm run admin -- restore FILE), and start ' +
  'Backhalf again'

export interface SqliteFile {
  readonly path: string
  remember(): void
  /** @throws DatabaseUnavailableError if a file was replaced, overwritten or deleted, from then on each time */
  check(): void
  /** @throws DatabaseUnavailableError if the file was overwritten: what is read could be a mixture */
  checkReadable(): void
  /**
   * Closes the connection that writes. It would move the log's contents into an overwritten file, unless there is no
   * file at its path.
   */
  closeWith(close: () => Promise<void>): Promise<void>
}

/**
 * What the header of a file with a write-ahead log starts with: FIXED_BYTES that stay the same, then a counter of
 * changes, which only goes up. A backup by `npm run admin -- backup` has no log, and its header says so.
 */
const FIXED_BYTES = 24
const HEADER_BYTES = 28

/**
 * Notices if a SQLite file that this process has open is replaced, overwritten (`cp backup.db data.db`) or deleted. SQLite
 * doesn't: it would go on writing to the earlier file, or mix two databases, and its log would damage the new file.
 */
export function createSqliteFile(path: string): SqliteFile {
  const opened = new Map<string, string>()
  let isReplaced = false
  let isOverwritten = false
  /** Never closed: closing any descriptor of the file releases SQLite's locks on it, which belong to the process (POSIX). */
  let descriptor: number | undefined
  let header = Buffer.alloc(HEADER_BYTES)

  function identify(file: string): string | undefined {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  }

  /** What follows an empty file's end reads as zeros. */
  function readHeader(file: number): Buffer<ArrayBuffer> {
    const bytes = Buffer.alloc(HEADER_BYTES)
    readSync(file, bytes, 0, HEADER_BYTES, 0)
    return bytes
  }

  function hasOtherHeader(): boolean {
    if (descriptor === undefined) return false
    const found = readHeader(descriptor)
    const isOther =
      found.compare(header, 0, FIXED_BYTES, 0, FIXED_BYTES) !== 0 ||
      found.readUInt32BE(FIXED_BYTES) < header.readUInt32BE(FIXED_BYTES)
    if (!isOther) header = found
    return isOther
  }

  /** Otherwise, the next process to open the new file would apply a log that doesn't belong to it. */
  function setLogAside(): void {
    const kept = `.replaced-${new Date().toISOString().replaceAll(':', '-')}$&`
    for (const log of opened.keys()) renameSync(log, log.replace(/-\w+$/, kept))
    opened.clear()
  }

  const file: SqliteFile = {
    path,
    remember() {
      const real = realpathSync(path) // If it is a link, the log is next to the file.
      for (const name of [path, ...LOG_SUFFIXES.map((suffix) => real + suffix)]) {
        const id = identify(name)
        if (id !== undefined) opened.set(name, id)
      }
      descriptor = openSync(real, 'r')
      header = readHeader(descriptor)
    },
    check() {
      for (const [name, id] of opened) {
        const isSame = identify(name) === id
        isOverwritten ||= isSame && name === path && hasOtherHeader()
        if (isSame && !(isOverwritten && name === path)) continue
        opened.delete(name)
        isReplaced = true
      }
      if (isReplaced && !opened.has(path)) setLogAside()
      if (isReplaced) throw new DatabaseUnavailableError(REPLACED)
    },
    checkReadable() {
      if (isOverwritten) throw new DatabaseUnavailableError(REPLACED)
    },
    async closeWith(close) {
      try {
        file.check()
      } catch {
        // The caller is told by its next write.
      }
      if (!isOverwritten) return close()
      const real = realpathSync(path)
      renameSync(real, `${real}.closing`)
      await close().finally(() => renameSync(`${real}.closing`, real))
    },
  }
  return file
}
