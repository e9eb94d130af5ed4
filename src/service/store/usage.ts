import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import type { ClicksTable, Schema } from '../../database/schema.ts'
import { touchApiKey } from './api-keys.ts'
import { addClicks, ROWS_AT_ONCE } from './clicks.ts'

/** How often the counts are written, in milliseconds. */
const FLUSH_EVERY_MS = 1_000

/** The last use of a key is stored to the minute. */
const MINUTE_MS = 60_000

/**
 * Counts the clicks of links and the last use of API keys in memory and writes them once a second,
 * so that no redirect waits for a write. `kill -9` loses the counts since the last write.
 */
export interface Usage {
  countClick(linkId: string, visitor: 'person' | 'bot'): void
  markApiKeyUsed(apiKeyId: string): void
  /** Writes the counts. If that fails, they are kept for the next write, unless they may be stored. */
  flush(): Promise<void>
  /** Writes the counts a last time. */
  close(): Promise<void>
}

export function createUsage({
  db,
  logger,
  now,
}: {
  db: Kysely<Schema>
  logger: FastifyBaseLogger
  /** The time in milliseconds since 1970. */
  now: () => number
}): Usage {
  const counts = new Map<string, ClicksTable>()
  const lastUses = new Map<string, number>()
  const unwrittenUses = new Set<string>()
  let writing = Promise.resolve()

  function count({ link_id, day, people, bots }: ClicksTable): void {
    const key = `${link_id} ${day}`
    const counted = counts.get(key) ?? { link_id, day, people: 0, bots: 0 }
    counted.people += people
    counted.bots += bots
    counts.set(key, counted)
  }

  /**
   * Writes the current counts, a few rows in each transaction, so that redirects run in between. After a failure,
   * the remaining counts are written with the next ones.
   */
  async function write(): Promise<void> {
    try {
      const clicks = counts.entries()
      for (let left = counts.size; left > 0; left -= ROWS_AT_ONCE) {
        await writeClicks(take(clicks, Math.min(left, ROWS_AT_ONCE)))
        await nextTurn()
      }
      const uses = [...unwrittenUses].sort()
      for (let at = 0; at < uses.length; at += ROWS_AT_ONCE) {
        await writeUses(uses.slice(at, at + ROWS_AT_ONCE))
        await nextTurn()
      }
    } catch (err) {
      logger.error({ err }, 'clicks could not be written; the next write tries again')
    }
  }

  async function writeClicks(entries: readonly [string, ClicksTable][]): Promise<void> {
    for (const [key] of entries) counts.delete(key)
    const rows = entries.map(([, row]) => row)
    try {
      await db.transaction().execute((transaction) => addClicks(transaction, rows))
    } catch (error) {
      // If they may have been written, they are lost rather than counted twice.
      const isLost = error instanceof DatabaseUnavailableError && error.mayHaveCommitted
      if (!isLost) for (const row of rows) count(row)
      throw error
    }
  }

  async function writeUses(ids: readonly string[]): Promise<void> {
    for (const id of ids) unwrittenUses.delete(id)
    try {
      await db.transaction().execute(async (transaction) => {
        for (const id of ids) await touchApiKey(transaction, id, lastUses.get(id) ?? now())
      })
    } catch (error) {
      for (const id of ids) unwrittenUses.add(id)
      throw error
    }
  }

  const flush = (): Promise<void> => (writing = writing.then(write))
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS)
  timer.unref()

  return {
    countClick(linkId, visitor) {
      const day = new Date(now()).toISOString().slice(0, 10)
      const isPerson = visitor === 'person'
      count({ link_id: linkId, day, people: Number(isPerson), bots: Number(!isPerson) })
    },
    markApiKeyUsed(id) {
      const minute = now() - (now() % MINUTE_MS)
      if (lastUses.get(id) === minute) return
      lastUses.set(id, minute)
      unwrittenUses.add(id)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** The next items of an iterator, up to a number. */
function take<T>(iterator: Iterator<T>, atMost: number): T[] {
  const items: T[] = []
  while (items.length < atMost) {
    const next = iterator.next()
    if (next.done) break
    items.push(next.value)
  }
  return items
}
