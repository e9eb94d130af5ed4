import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import type { ClickMetrics } from '../../metrics/service-metrics.ts'
import { systemClock, within, type Clock } from '../../timing/clock.ts'
import { DAY_MS, dayOf } from '../../timing/days.ts'
import { addClicks, MAX_HOSTS, type CountedClicks } from './clicks.ts'

const ROWS_AT_ONCE = 2_000 // Few, so that creates hardly wait for the transaction.
const FLUSH_EVERY_MS = 1_000
const LAST_WRITES_MS = 2_000

/** Limits the memory if the database is unavailable for long. Clicks from further hosts are counted without a host. */
const MAX_HOSTS_IN_MEMORY = 50_000

/**
 * Counts clicks in memory and writes them to the database once a second, so that no redirect waits for a write. If the
 * process is killed (`kill -9`), the clicks of this second are lost.
 */
export interface Usage {
  countClick(linkId: string, visitor: 'person' | 'bot', host?: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function createUsage({
  write,
  logger,
  metrics,
  now,
  clock = systemClock,
}: Pick<Database, 'write'> & {
  logger: FastifyBaseLogger
  metrics?: ClickMetrics | undefined
  now: () => number
  clock?: Pick<Clock, 'sleep'>
}): Usage {
  const counts = new Map<string, CountedClicks>()
  let hostsInMemory = 0
  let writing = Promise.resolve()
  let writes = 0
  let isClosing = false
  metrics?.watchUnwritten(() => counts.size)

  function count(link_id: string, day: string, people: number, bots: number): CountedClicks {
    const key = `${day} ${link_id}`
    let counted = counts.get(key)
    if (!counted) {
      counted = { link_id, day, people: 0, bots: 0, hosts: undefined }
      counts.set(key, counted)
    }
    counted.people += people
    counted.bots += bots
    return counted
  }

  function countHost(counted: CountedClicks, host: string, people: number): void {
    const hosts = (counted.hosts ??= new Map<string, number>())
    const known = hosts.get(host)
    if (known === undefined) {
      if (hosts.size >= MAX_HOSTS.all || hostsInMemory >= MAX_HOSTS_IN_MEMORY) return
      hostsInMemory += 1
    }
    hosts.set(host, (known ?? 0) + people)
  }

  function take(atMost: number): CountedClicks[] {
    const taken: CountedClicks[] = []
    let rows = 0
    for (const [key, counted] of counts) {
      if (rows >= ROWS_AT_ONCE || taken.length === atMost) break
      const hosts = counted.hosts?.size ?? 0
      counts.delete(key)
      hostsInMemory -= hosts
      taken.push(counted)
      rows += 1 + hosts
    }
    return taken
  }

  // After each transaction, other writes get as much time. Clicks that can't be written are added to the next ones.
  async function writeAll(): Promise<void> {
    if (counts.size === 0) return
    const start = performance.now()
    const flushed = (outcome: 'written' | 'failed'): void =>
      metrics?.flushes.observe({ outcome }, (performance.now() - start) / 1_000)
    try {
      for (let left = counts.size; left > 0;) {
        const began = performance.now()
        const clicks = take(left)
        await writeClicks(clicks)
        writes += 1
        left -= clicks.length
        if (left > 0 && !isClosing) await clock.sleep(performance.now() - began)
      }
      flushed('written')
    } catch (err) {
      flushed('failed')
      const next = isClosing ? '' : '; the next write tries again'
      logger.error({ err }, `clicks could not be written${next}`)
    }
  }

  async function writeClicks(rows: readonly CountedClicks[]): Promise<void> {
    try {
      await write(addClicks(rows))
    } catch (error) {
      // If the commit might have succeeded, the clicks are dropped, because they would otherwise be counted twice.
      if (error instanceof DatabaseUnavailableError && error.mayHaveCommitted) {
        const clicks = rows.reduce((sum, { people, bots }) => sum + people + bots, 0)
        metrics?.lost.inc({}, clicks)
        throw error
      }
      for (const { link_id, day, people, bots, hosts = [] } of rows) {
        const counted = count(link_id, day, people, bots)
        for (const [host, clicks] of hosts) countHost(counted, host, clicks)
      }
      throw error
    }
  }

  let today = { number: NaN, day: '' }

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
      const counted = count(linkId, currentDay(), Number(isPerson), Number(!isPerson))
      if (isPerson && host !== undefined) countHost(counted, host, 1)
    },
    flush,
    async close() {
      isClosing = true
      clearInterval(timer)
      const flushing = flush()
      for (let before = -1; writes > before;) {
        before = writes
        if (await within(clock, LAST_WRITES_MS, flushing)) return
      }
      logger.error('the last clicks might be lost, because the database did not respond in time')
    },
  }
}
