import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Selectable } from 'kysely'
import { isPostgres } from './dialects.ts'
import type { Db, Schema } from './schema.ts'

export interface LinkWatcher {
  changed(linkIds: readonly string[]): void
  /** Called if any link might have changed, also at the start. */
  missed(): void
  lost(reason: unknown): void
}

const READ_EVERY_MS = 250
const READ_AT_ONCE = 10_000

// More than a transaction adds (renaming a tag changes 250 links), and longer than a transaction takes.
const MAX_SKIPPED = 10_000
const SKIPPED_FOR_MS = 60_000

/**
 * Reports changed links, by reading new rows of `link_history`. On PostgreSQL, a row with a lower ID can be committed
 * after a row with a higher ID, so skipped IDs are looked for again. If the last row that was read is gone, an earlier
 * copy has replaced the database, for example after a failover, and any link might have changed.
 */
export function watchLinks(
  db: Db,
  watcher: LinkWatcher,
  signal: AbortSignal,
  checkFile: () => void,
): void {
  let last: Pick<Selectable<Schema['link_history']>, 'id' | 'link_id'> | undefined
  const skipped = new Map<number, number>()
  let isLost = false

  function skip(from: number, to: number): void {
    if (!isPostgres(db)) return
    for (let id = Math.max(from, to - MAX_SKIPPED); id < to; id++) {
      skipped.set(id, performance.now())
    }
  }

  async function start(): Promise<void> {
    const newest = await changes(db).orderBy('id', 'desc').limit(1).executeTakeFirst()
    if (signal.aborted) return
    last = newest ?? { id: 0, link_id: '' }
    skip(1, last.id)
    watcher.missed()
  }

  async function read(): Promise<void> {
    checkFile()
    if (!last) return start()
    const { id: lastId, link_id: lastLink } = last
    // The first of these rows is the last one of the previous read, unless the database was replaced.
    const rows = await changes(db)
      .where('id', '>=', lastId)
      .orderBy('id')
      .limit(READ_AT_ONCE)
      .execute()
    if (lastId > 0 && (rows[0]?.id !== lastId || rows[0].link_id !== lastLink)) return start()
    const isSkipped = sql<boolean>`id = any(${[...skipped.keys()]}::bigint[])`
    const late = skipped.size === 0 ? [] : await changes(db).where(isSkipped).execute()
    if (signal.aborted) return
    for (const { id } of late) skipped.delete(id)
    for (const [id, since] of skipped) {
      if (performance.now() - since > SKIPPED_FOR_MS) skipped.delete(id)
    }
    const newer = rows.filter(({ id }) => id > lastId)
    for (const change of newer) {
      skip(last.id + 1, change.id)
      last = change
    }
    const linkIds = [...late, ...newer].map(({ link_id }) => link_id)
    if (linkIds.length > 0) watcher.changed(linkIds)
  }

  async function tryToRead(): Promise<void> {
    try {
      await read()
      isLost = false
    } catch (error) {
      if (!isLost && !signal.aborted) watcher.lost(error)
      isLost = true
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await tryToRead()
      await sleep(READ_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  void run()
}

function changes(db: Db) {
  return db.selectFrom('link_history').select(['id', 'link_id'])
}
