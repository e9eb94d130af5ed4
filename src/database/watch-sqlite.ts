import { DatabaseSync } from 'node:sqlite'
import type { SqliteFile } from './sqlite-file.ts'

/** Is notified when links change, whichever process changes them. */
export interface LinkWatcher {
  /** These links have changed. */
  changed(linkIds: readonly string[]): void
  /** Any link may have changed. */
  missed(): void
  /** Changes can't be seen until `missed` is called. */
  lost(reason: unknown): void
}

/** How often the file is checked for changes, in milliseconds. */
const CHECK_EVERY_MS = 250

/** If more changes than this come at once, every link counts as changed. */
const MAX_AT_ONCE = 1_000

/**
 * Reports links that any process changes in a SQLite file. A look at the file's version takes microseconds. If it
 * has changed, which clicks do as well, the new rows of the links' history are read.
 */
export function watchSqlite(file: SqliteFile, watcher: LinkWatcher): { close(): Promise<void> } {
  const sqlite = new DatabaseSync(file.path, { readOnly: true, timeout: 0 })
  const readVersion = sqlite.prepare('pragma data_version')
  const readNewest = sqlite.prepare('select coalesce(max(id), 0) as id from link_history')
  const readChanges = sqlite.prepare(
    'select id, link_id from link_history where id > ? order by id limit ?',
  )
  let version = readVersion.get()?.['data_version']
  let last = Number(readNewest.get()?.['id'])
  let isLost = false

  function check(): void {
    file.check()
    const current = readVersion.get()?.['data_version']
    if (current === version) return
    const rows = readChanges.all(last, MAX_AT_ONCE + 1)
    if (rows.length > MAX_AT_ONCE) {
      last = Number(readNewest.get()?.['id'])
      watcher.missed()
    } else if (rows.length > 0) {
      last = Number(rows.at(-1)?.['id'])
      watcher.changed(rows.map((row) => String(row['link_id'])))
    }
    version = current
  }

  const timer = setInterval(() => {
    try {
      check()
      if (isLost) watcher.missed()
      isLost = false
    } catch (error) {
      if (!isLost) watcher.lost(error)
      isLost = true
    }
  }, CHECK_EVERY_MS)
  timer.unref()

  return {
    async close() {
      clearInterval(timer)
      sqlite.close()
    },
  }
}
