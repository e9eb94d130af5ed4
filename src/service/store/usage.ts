import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import type { ClicksTable } from '../../database/schema.ts'
import type { ClickMetrics } from '../../metrics/service-metrics.ts'
import { touchApiKeys } from './api-keys.ts'
import { addClicks, ROWS_AT_ONCE } from './clicks.ts'
import { dayOf } from './days.ts'
import { MAX_HOSTS } from './referrers.ts'

/** How often the counts are written, in milliseconds. */
const FLUSH_EVERY_MS = 1_000

/**
 * How many hosts of all links are in memory at most, so that they fit while the database is away. People from
 * further ones count without a host.
 */
const MAX_HOSTS_IN_MEMORY = 50_000

const DAY_MS = 86_400_000

/** The last use of a key is stored to the minute. */
const MINUTE_MS = 60_000

interface Counted extends ClicksTable {
  hosts: Map<string, number>
}

/**
 * Counts the clicks of links and the last use of API keys in memory and writes them once a second,
 * so that no redirect waits for a write. `kill -9` loses the counts since the last write.
 */
export interface Usage {
  /** @param host from which a person came, if it is known */
  countClick(linkId: string, visitor: 'person' | 'bot', host?: string): void
  markApiKeyUsed(apiKeyId: string): void
  /** Writes the counts. If that fails, they are kept for the next write, unless they may be stored. */
  flush(): Promise<void>
  /** Writes the counts a last time. */
  close(): Promise<void>
}

export function createUsage({
  write,
  logger,
  metrics,
  now,
}: Pick<Database, 'write'> & {
  logger: FastifyBaseLogger
  metrics?: ClickMetrics | undefined
  /** The time in milliseconds since 1970. */
  now: () => number
}): Usage {
  const counts = new Map<string, Counted>()
  let hostsInMemory = 0
  const lastUses = new Map<string, number>()
  const unwrittenUses = new Set<string>()
  let writing = Promise.resolve()
  metrics?.watchUnwritten(() => counts.size)

  function count(
    { link_id, day, people, bots }: ClicksTable,
    hosts: Iterable<[string, number]>,
  ): void {
    const key = `${link_id} ${day}`
    const counted = counts.get(key) ?? {
      link_id,
      day,
      people: 0,
      bots: 0,
      hosts: new Map<string, number>(),
    }
    counted.people += people
    counted.bots += bots
    counts.set(key, counted)
    for (const [host, came] of hosts) {
      const known = counted.hosts.get(host)
      if (known === undefined) {
        if (counted.hosts.size >= MAX_HOSTS || hostsInMemory >= MAX_HOSTS_IN_MEMORY) continue
        hostsInMemory += 1
      }
      counted.hosts.set(host, (known ?? 0) + came)
    }
  }

  /**
   * Writes the current counts, a few rows in each transaction, so that redirects run in between. After a failure,
   * the remaining counts are written with the next ones.
   */
  async function writeAll(): Promise<void> {
    if (counts.size === 0 && unwrittenUses.size === 0) return
    const start = performance.now()
    const flushed = (outcome: 'written' | 'failed'): void =>
      metrics?.flushes.observe({ outcome }, (performance.now() - start) / 1_000)
    try {
      const clicks = counts.values()
      for (let left = counts.size; left > 0;) {
        const batch = take(clicks, left)
        left -= batch.length
        await writeClicks(batch)
        await nextTurn()
      }
      const uses = [...unwrittenUses].sort()
      for (let at = 0; at < uses.length; at += ROWS_AT_ONCE) {
        await writeUses(uses.slice(at, at + ROWS_AT_ONCE))
        await nextTurn()
      }
      flushed('written')
    } catch (err) {
      flushed('failed')
      logger.error({ err }, 'clicks could not be written; the next write tries again')
    }
  }

  async function writeClicks(rows: readonly Counted[]): Promise<void> {
    for (const { link_id, day, hosts } of rows) {
      counts.delete(`${link_id} ${day}`)
      hostsInMemory -= hosts.size
    }
    try {
      await write(addClicks(rows))
    } catch (error) {
      // If they may have been written, they are lost rather than counted twice.
      const isLost = error instanceof DatabaseUnavailableError && error.mayHaveCommitted
      if (!isLost) for (const row of rows) count(row, row.hosts)
      else
        metrics?.lost.inc(
          {},
          rows.reduce((sum, { people, bots }) => sum + people + bots, 0),
        )
      throw error
    }
  }

  async function writeUses(ids: readonly string[]): Promise<void> {
    for (const id of ids) unwrittenUses.delete(id)
    try {
      await write(touchApiKeys(ids.map((id) => [id, lastUses.get(id) ?? now()])))
    } catch (error) {
      for (const id of ids) unwrittenUses.add(id)
      throw error
    }
  }

  /** The day that the last click came on. */
  let today = { number: NaN, day: '' }

  /** The current day as in clicks.day. Only its first click formats it. */
  function currentDay(): string {
    const time = now()
    const number = Math.floor(time / DAY_MS)
    if (number !== today.number) today = { number, day: dayOf(time) }
    return today.day
  }

  const flush = (): Promise<void> => (writing = writing.then(writeAll))
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS)
  timer.unref()

  return {
    countClick(linkId, visitor, host) {
      metrics?.counted.inc({ visitor })
      const isPerson = visitor === 'person'
      count(
        { link_id: linkId, day: currentDay(), people: Number(isPerson), bots: Number(!isPerson) },
        isPerson && host !== undefined ? [[host, 1]] : [],
      )
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

/** The next counts, up to a number. With their hosts, they are at most ROWS_AT_ONCE + MAX_HOSTS rows. */
function take(iterator: Iterator<Counted>, atMost: number): Counted[] {
  const taken: Counted[] = []
  for (let rows = 0; rows < ROWS_AT_ONCE && taken.length < atMost;) {
    const next = iterator.next()
    if (next.done) break
    taken.push(next.value)
    rows += 1 + next.value.hosts.size
  }
  return taken
}
