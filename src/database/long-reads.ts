import type { Dialect, QueryResult } from 'kysely'
import type { PoolMetrics } from '../metrics/database-metrics.ts'
import { systemClock, within } from '../timing/clock.ts'
import { DatabaseUnavailableError } from './errors.ts'
import { createSqliteDialect } from './sqlite.ts'
import type { Statement } from './sqlite-connection.ts'
import { createSqliteThread } from './sqlite-thread.ts'

export interface LongReadLimits {
  /** How long a query can take, including the wait for earlier queries. */
  timeoutMs: number
  maxWaiting: number
}

const LIMITS: LongReadLimits = { timeoutMs: 5_000, maxWaiting: 50 }

const SCRIPT = new URL('./long-reads-thread.ts', import.meta.url)

/**
 * Kysely's dialect for SELECTs that can take long. They run in a thread, one at a time. Node.js can't interrupt SQLite,
 * so a query that takes too long fails, but still delays the next ones until it ends.
 */
export function longReadsDialect(
  path: string,
  {
    watchUsage,
    check,
    ...limits
  }: Partial<LongReadLimits> & {
    watchUsage?: PoolMetrics['watchUsage'] | undefined
    check?: () => void
  } = {},
): Dialect {
  return createSqliteDialect(() => {
    const reads = createLongReads(path, { ...LIMITS, ...limits })
    watchUsage?.(() => ({ waiting: reads.waiting() }))
    return {
      async execute<R>({ sql, parameters }: Statement): Promise<QueryResult<R>> {
        check?.()
        return { rows: (await reads.run({ sql, parameters })) as R[] }
      },
      close: () => reads.close(),
    }
  })
}

function createLongReads(path: string, { timeoutMs, maxWaiting }: LongReadLimits) {
  const thread = createSqliteThread<Statement>({
    script: SCRIPT,
    data: path,
    exitError: { reason: 'it can’t be opened' },
  })
  let last: Promise<unknown> = Promise.resolve()
  let unfinished = 0

  return {
    async run(query: Statement): Promise<unknown[]> {
      if (unfinished > maxWaiting) {
        throw new DatabaseUnavailableError('too many searches and lists at once')
      }
      let isGivenUp = false
      unfinished += 1
      // A query whose time has run out while it waited is not run.
      const read = last.then(() => (isGivenUp ? [] : thread.ask(query)))
      last = read.catch(() => undefined).finally(() => (unfinished -= 1))
      const result = await within(systemClock, timeoutMs, read)
      if (result) return result.value as unknown[]
      isGivenUp = true
      throw new DatabaseUnavailableError('a search or a list took too long')
    },
    waiting: () => Math.max(0, unfinished - 1),
    close: () => thread.close(),
  }
}
