import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { ClicksTable, Schema } from '../../database/schema.ts'
import { touchApiKey } from './api-keys.ts'
import { addClicks } from './clicks.ts'

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
  /** Writes the counts. If that fails, they are kept for the next write. */
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
  let counts = new Map<string, ClicksTable>()
  const lastUses = new Map<string, number>()
  let unwrittenUses = new Set<string>()
  let writing = Promise.resolve()

  function count({ link_id, day, people, bots }: ClicksTable): void {
    const key = `${link_id} ${day}`
    const counted = counts.get(key) ?? { link_id, day, people: 0, bots: 0 }
    counted.people += people
    counted.bots += bots
    counts.set(key, counted)
  }

  async function write(): Promise<void> {
    if (counts.size === 0 && unwrittenUses.size === 0) return
    const [clicks, uses] = [counts, unwrittenUses]
    counts = new Map()
    unwrittenUses = new Set()
    try {
      await db.transaction().execute(async (transaction) => {
        // Always in the same order, so that two processes never wait for each other's locks.
        const sorted = [...clicks].sort(([one], [other]) => (one < other ? -1 : 1))
        await addClicks(
          transaction,
          sorted.map(([, counted]) => counted),
        )
        for (const id of [...uses].sort()) {
          await touchApiKey(transaction, id, lastUses.get(id) ?? now())
        }
      })
    } catch (err) {
      logger.error({ err }, 'clicks could not be written; the next write tries again')
      for (const counted of clicks.values()) count(counted)
      for (const id of uses) unwrittenUses.add(id)
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
