import type { Dialect, QueryResult } from 'kysely'
import type { PoolMetrics } from '../metrics/database-metrics.ts'
import { systemClock, within } from '../timing/clock.ts'
import { DatabaseUnavailableError } from './errors.ts'
import { createSqliteDialect } from './sqlite.ts'
import type { Statement } from './sqlite-connection.ts'
import { createSqliteThread, type Threads } from './sqlite-thread.ts'

interface LongReadOptions {
  /** How long a query can take, including the wait for earlier queries. */
  timeoutMs?: number
  maxWaiting?: number
  watchUsage?: PoolMetrics['watchUsage'] | undefined
  threads?: Threads | undefined
  check?: () => void
}

const SCRIPT = new URL('./long-reads-thread.ts', import.meta.url)

/**
 * Kysely's dialect for SELECTs that can take long. They run in a thread, one at a time. Node.js can't interrupt SQLite,
 * so a query that takes too long fails, but still delays the next ones until it ends.
 */
export function longReadsDialect(
  path: string,
  { timeoutMs = 5_000, maxWaiting = 50, watchUsage, threads, check }: LongReadOptions = {},
): Dialect {
  return createSqliteDialect(() => {
    const thread = createSqliteThread<Statement>({ script: SCRIPT, data: path, threads, check })
    let last: Promise<unknown> = Promise.resolve()
    let unfinished = 0
    watchUsage?.(() => ({ waiting: Math.max(0, unfinished - 1) }))
    return {
      async execute<R>({ sql, parameters }: Statement): Promise<QueryResult<R>> {
        if (unfinished > maxWaiting) {
          throw new DatabaseUnavailableError('too many searches and lists at once')
        }
        let isGivenUp = false
        unfinished += 1
        // A query whose time has run out while it waited is not run.
        const read = last.then(() => (isGivenUp ? [] : thread.ask({ sql, parameters })))
        last = read.catch(() => undefined).finally(() => (unfinished -= 1))
        const result = await within(systemClock, timeoutMs, read)
        if (result) return { rows: result.value as R[] }
        isGivenUp = true
        throw new DatabaseUnavailableError('a search or a list took too long')
      },
      close: () => thread.close(),
    }
  })
}
