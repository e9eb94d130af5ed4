import { openSync, readSync, realpathSync, renameSync, statSync } from 'node:fs'
import { DatabaseUnavailableError } from './errors.ts'

export const LOG_SUFFIXES = ['-wal', '-shm']

// The health check shows this, so it names no path.
const REPLACED =
  'its file, or the log next to it (-wal), was replaced, overwritten or deleted while Backhalf was running. Nothing is written ' +
  'anymore. Stop Backhalf, put the right file in place or restore a backup (npm run admin -- restore FILE), and start ' +
  'Backhalf again'

// The first bytes of a SQLite file. FIXED_BYTES never change in an open file. They say, for example, whether the file
// has a write-ahead log, which a backup doesn't. The other four bytes count changes.
const FIXED_BYTES = 24
const HEADER_BYTES = 28

/**
 * Notices if the open file is replaced, overwritten (`cp backup.db data.db`) or deleted. SQLite itself doesn't notice:
 * it would continue to write to the earlier file, or mix two databases.
 */
export class SqliteFile {
  readonly path: string
  readonly #openedIds = new Map<string, string>()
  #isReplaced = false
  #isOverwritten = false
  // Never closed, because closing any descriptor of the file releases the process's locks on it (POSIX).
  #descriptor: number | undefined
  #header = Buffer.alloc(HEADER_BYTES)

  constructor(path: string) {
    this.path = path
  }

  /** Call this once SQLite has opened the file. */
  remember(): void {
    const real = realpathSync(this.path) // The log is next to the file itself, even if the path is a symbolic link.
    for (const name of [this.path, ...LOG_SUFFIXES.map((suffix) => real + suffix)]) {
      const id = identify(name)
      if (id !== undefined) this.#openedIds.set(name, id)
    }
    this.#descriptor = openSync(real, 'r')
    this.#header = readHeader(this.#descriptor)
  }

  /** @throws DatabaseUnavailableError from now on, if the file or its log was replaced, overwritten or deleted */
  check(): void {
    for (const [name, id] of this.#openedIds) {
      const isSame = identify(name) === id
      this.#isOverwritten ||= isSame && name === this.path && this.#hasOtherHeader()
      if (isSame && !(this.#isOverwritten && name === this.path)) continue
      this.#openedIds.delete(name)
      this.#isReplaced = true
    }
    if (this.#isReplaced && !this.#openedIds.has(this.path)) this.#setLogAside()
    if (this.#isReplaced) throw new DatabaseUnavailableError(REPLACED)
  }

  /** @throws DatabaseUnavailableError if the file was overwritten: a read could then mix old and new data */
  checkReadable(): void {
    if (this.#isOverwritten) throw new DatabaseUnavailableError(REPLACED)
  }

  /** An overwritten file is renamed while connections close, because SQLite would write its log into it. */
  async closeWith(close: () => Promise<void>): Promise<void> {
    try {
      this.check()
    } catch {
      // The next write fails with this error.
    }
    if (!this.#isOverwritten) return close()
    const real = realpathSync(this.path)
    renameSync(real, `${real}.closing`)
    await close().finally(() => renameSync(`${real}.closing`, real))
  }

  #hasOtherHeader(): boolean {
    if (this.#descriptor === undefined) return false
    const header = readHeader(this.#descriptor)
    const isOther =
      header.compare(this.#header, 0, FIXED_BYTES, 0, FIXED_BYTES) !== 0 ||
      header.readUInt32BE(FIXED_BYTES) < this.#header.readUInt32BE(FIXED_BYTES)
    if (!isOther) this.#header = header
    return isOther
  }

  // Renames the log of a file that was replaced. Under its old name, the next process that opens the new file would
  // apply a log that belongs to the earlier one.
  #setLogAside(): void {
    const newSuffix = `.replaced-${new Date().toISOString().replaceAll(':', '-')}$&`
    for (const log of this.#openedIds.keys()) renameSync(log, log.replace(/-\w+$/, newSuffix))
    this.#openedIds.clear()
  }
}

function identify(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

// Bytes after the end of the file read as zeros, for example in an empty file.
function readHeader(file: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(HEADER_BYTES)
  readSync(file, bytes, 0, HEADER_BYTES, 0)
  return bytes
}
