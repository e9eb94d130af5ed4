import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import type { ClicksTable } from '../../database/schema.ts'
import { touchApiKey } from './api-keys.ts'
import { addClicks } from './clicks.ts'
import type { Visitor } from '../visitor.ts'

/** What is counted is written this often, in milliseconds. */
const FLUSH_EVERY_MS = 1_000

/** A key's last use is kept to the minute. */
const MINUTE_MS = 60_000

/**
 * What links and keys are used for, counted in memory and written once a second, so that nobody
 * who follows a link waits for a write. `kill -9` loses what was counted since the last one.
 */
export interface Usage {
  linkFollowed(linkId: string, visitor: Visitor): void
  apiKeyUsed(apiKeyId: string): void
  /** Writes what was counted; what could not be written is kept for the next time. */
  flush(): Promise<void>
  /** Writes what was counted, for the last time. */
  close(): Promise<void>
}

/** @param deps.now milliseconds since 1970 */
export function createUsage({
  database: { db },
  logger,
  now,
}: {
  database: Database
  logger: FastifyBaseLogger
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
        // In one order, so that two processes never wait for each other.
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
      logger.error({ err }, 'clicks could not be written; they are tried again')
      for (const counted of clicks.values()) count(counted)
      for (const id of uses) unwrittenUses.add(id)
    }
  }

  const flush = (): Promise<void> => (writing = writing.then(write))
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS)
  timer.unref()

  return {
    linkFollowed(linkId, visitor) {
      const day = new Date(now()).toISOString().slice(0, 10)
      const isPerson = visitor === 'person'
      count({ link_id: linkId, day, people: Number(isPerson), bots: Number(!isPerson) })
    },
    apiKeyUsed(id) {
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
