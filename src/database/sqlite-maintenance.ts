import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Larger files aren't checked at the start, because it takes a second for each 70 MB. */
const MAX_CHECKED_BYTES = 64 * 2 ** 20

/** How often emptying the log is tried, and the pause in between in milliseconds. */
const [EMPTY_TRIES, EMPTY_RETRY_MS] = [100, 20]

/** @throws if the file is damaged */
export async function checkIntact(db: Kysely<Schema>): Promise<void> {
  const { rows: sizes } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
  if ((sizes[0]?.bytes ?? 0) > MAX_CHECKED_BYTES) return
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const found = rows[0]?.quick_check
  if (found !== 'ok')
    throw new Error(`the file is damaged (${found ?? 'the check returned nothing'})`)
}

/**
 * Moves the write-ahead log's contents into the file and empties the log, which still holds the
 * pages from before a deletion. A read that runs in another process or thread prevents that. If one
 * takes too long, the next writes overwrite the log instead.
 */
export async function emptyLog(db: Kysely<Schema>): Promise<void> {
  for (let tries = 0; tries < EMPTY_TRIES; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy === 0) return
    await sleep(EMPTY_RETRY_MS)
  }
}
