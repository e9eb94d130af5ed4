import { openSync, readSync, realpathSync, renameSync, statSync } from 'node:fs'
import { DatabaseUnavailableError } from './errors.ts'

export const LOG_SUFFIXES = ['-wal', '-shm']

/** The health check shows this, so it names no path. */
const REPLACED =
  'its file, or the log next to it (-wal), was replaced, overwritten or deleted while Backhalf was running. Nothing is written ' +
  'anymore. Stop Backhalf, put the right file in place or restore a backup (npm run admin -- restore FILE), and start ' +
  'Backhalf again'

/**
 * The start of a SQLite file. Its FIXED_BYTES say, among other things, whether there is a log (backups have none). A
 * counter of changes follows them.
 */
const FIXED_BYTES = 24
const HEADER_BYTES = 28

/**
 * Notices if the open file is replaced, overwritten (`cp backup.db data.db`) or deleted. SQLite doesn't: it would go on
 * writing to the earlier file, or mix two databases.
 */
export class SqliteFile {
  readonly path: string
  readonly #opened = new Map<string, string>()
  #isReplaced = false
  #isOverwritten = false
  /**
   * Never closed: closing any descriptor of the file releases SQLite's locks on it, which belong to the process
   * (POSIX).
   */
  #descriptor: number | undefined
  #header = Buffer.alloc(HEADER_BYTES)

  constructor(path: string) {
    this.path = path
  }

  remember(): void {
    const real = realpathSync(this.path) // The log is next to the file itself, even if the path is a symbolic link.
    for (const name of [this.path, ...LOG_SUFFIXES.map((suffix) => real + suffix)]) {
      const id = identify(name)
      if (id !== undefined) this.#opened.set(name, id)
    }
    this.#descriptor = openSync(real, 'r')
    this.#header = readHeader(this.#descriptor)
  }

  /** @throws DatabaseUnavailableError in each call after the file or its log was replaced, overwritten or deleted */
  check(): void {
    for (const [name, id] of this.#opened) {
      const isSame = identify(name) === id
      this.#isOverwritten ||= isSame && name === this.path && this.#hasOtherHeader()
      if (isSame && !(this.#isOverwritten && name === this.path)) continue
      this.#opened.delete(name)
      this.#isReplaced = true
    }
    if (this.#isReplaced && !this.#opened.has(this.path)) this.#setLogAside()
    if (this.#isReplaced) throw new DatabaseUnavailableError(REPLACED)
  }

  /** @throws DatabaseUnavailableError if the file was overwritten: a read could then mix old and new data */
  checkReadable(): void {
    if (this.#isOverwritten) throw new DatabaseUnavailableError(REPLACED)
  }

  /**
   * Closes the connections. If the file was overwritten, it gets another name meanwhile, because SQLite would write the
   * log into it.
   */
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
    const found = readHeader(this.#descriptor)
    const isOther =
      found.compare(this.#header, 0, FIXED_BYTES, 0, FIXED_BYTES) !== 0 ||
      found.readUInt32BE(FIXED_BYTES) < this.#header.readUInt32BE(FIXED_BYTES)
    if (!isOther) this.#header = found
    return isOther
  }

  /**
   * Renames the log of a file that was replaced. Otherwise, the next process to open the new file would apply a log
   * that doesn't belong to it.
   */
  #setLogAside(): void {
    const kept = `.replaced-${new Date().toISOString().replaceAll(':', '-')}$&`
    for (const log of this.#opened.keys()) renameSync(log, log.replace(/-\w+$/, kept))
    this.#opened.clear()
  }
}

function identify(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** Bytes after the end of the file read as zeros, for example in an empty file. */
function readHeader(file: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(HEADER_BYTES)
  readSync(file, bytes, 0, HEADER_BYTES, 0)
  return bytes
}
