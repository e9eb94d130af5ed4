import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import type { ClickMetrics } from '../../metrics/service-metrics.ts'
import { systemClock, within, type Clock } from '../../timing/clock.ts'
import { dayOf } from '../../timing/days.ts'
import { addClicks, MAX_HOSTS, type CountedClicks } from './clicks.ts'

// The rows of a transaction are few, because new links wait until it is committed.
const ROWS_AT_ONCE = 2_000
const FLUSH_EVERY_MS = 1_000
const SHUTDOWN_WAIT_MS = 2_000

// Limits the memory if the database is unavailable for long. Clicks from further hosts are counted without a host.
const MAX_HOSTS_IN_MEMORY = 50_000

/** Counts clicks in memory, and writes them once a second. `kill -9` loses the clicks since the last write. */
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
  let lastFlush = Promise.resolve()
  let committedTransactions = 0
  let isClosing = false
  metrics?.watchUnwritten(() => counts.size)

  function addCount(link_id: string, day: string, people: number, bots: number): CountedClicks {
    const noClicks = () => ({ link_id, day, people: 0, bots: 0, hosts: undefined })
    const counted = counts.getOrInsertComputed(`${day} ${link_id}`, noClicks)
    counted.people += people
    counted.bots += bots
    return counted
  }

  function countHost(counted: CountedClicks, host: string, people: number): void {
    const hosts = (counted.hosts ??= new Map<string, number>())
    const earlierPeople = hosts.get(host)
    if (earlierPeople === undefined) {
      if (hosts.size >= MAX_HOSTS.all || hostsInMemory >= MAX_HOSTS_IN_MEMORY) return
      hostsInMemory += 1
    }
    hosts.set(host, (earlierPeople ?? 0) + people)
  }

  function takeBatch(maxLength: number): CountedClicks[] {
    const taken: CountedClicks[] = []
    let rows = 0
    for (const [key, counted] of counts) {
      if (rows >= ROWS_AT_ONCE || taken.length === maxLength) break
      const hosts = counted.hosts?.size ?? 0
      counts.delete(key)
      hostsInMemory -= hosts
      taken.push(counted)
      rows += 1 + hosts
    }
    return taken
  }

  async function writeAll(): Promise<void> {
    if (counts.size === 0) return
    const flushStart = performance.now()
    const observeDuration = (outcome: 'written' | 'failed'): void =>
      metrics?.flushes.observe({ outcome }, (performance.now() - flushStart) / 1_000)
    // Clicks that are counted during this flush are left to the next flush, so that this one ends.
    let remaining = counts.size
    try {
      while (remaining > 0) {
        const batchStart = performance.now()
        const batch = takeBatch(remaining)
        await writeClicks(batch)
        committedTransactions += 1
        remaining -= batch.length
        // Other writes get as much time as this transaction took. A shutdown can't wait that long.
        if (remaining > 0 && !isClosing) await clock.sleep(performance.now() - batchStart)
      }
      observeDuration('written')
    } catch (err) {
      observeDuration('failed')
      const retry = isClosing ? '' : '; the next write tries again'
      logger.error({ err }, `clicks could not be written${retry}`)
    }
  }

  async function writeClicks(rows: readonly CountedClicks[]): Promise<void> {
    try {
      await write(addClicks(rows))
    } catch (error) {
      // The commit might have succeeded. Then, writing the clicks again would count them twice, so they are dropped.
      if (error instanceof DatabaseUnavailableError && error.mayHaveCommitted) {
        const clicks = rows.reduce((sum, { people, bots }) => sum + people + bots, 0)
        metrics?.lost.inc({}, clicks)
        throw error
      }
      // The next flush writes these clicks together with newer ones.
      for (const { link_id, day, people, bots, hosts = [] } of rows) {
        const counted = addCount(link_id, day, people, bots)
        for (const [host, clicks] of hosts) countHost(counted, host, clicks)
      }
      throw error
    }
  }

  const flush = (): Promise<void> => (lastFlush = lastFlush.then(writeAll))
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref()

  return {
    countClick(linkId, visitor, host) {
      metrics?.counted.inc({ visitor })
      const isPerson = visitor === 'person'
      const counted = addCount(linkId, dayOf(now()), Number(isPerson), Number(!isPerson))
      if (isPerson && host !== undefined) countHost(counted, host, 1)
    },
    flush,
    async close() {
      isClosing = true
      clearInterval(timer)
      const flushing = flush()
      // Waits as long as at least one transaction is committed in each period of two seconds.
      let committedBefore: number
      do {
        committedBefore = committedTransactions
        if (await within(clock, SHUTDOWN_WAIT_MS, flushing)) return
      } while (committedTransactions > committedBefore)
      logger.error('the last clicks might be lost, because the database did not respond in time')
    },
  }
}
