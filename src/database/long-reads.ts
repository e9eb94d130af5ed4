import type { Dialect, QueryResult } from 'kysely'
import type { PoolMetrics } from '../metrics/database-metrics.ts'
import { DatabaseUnavailableError } from './errors.ts'
import { sqliteDialectOf } from './sqlite.ts'
import { toSqliteError } from './sqlite-errors.ts'
import type { Statement } from './sqlite-connection.ts'
import { startSqliteThread, ThreadEndedError, type SqliteThread } from './sqlite-thread.ts'

export interface LongReadLimits {
  /** How long a query may take, including its wait for earlier ones, in milliseconds. */
  timeoutMs: number
  /** How many queries may wait at most. */
  maxWaiting: number
}

const LIMITS: LongReadLimits = { timeoutMs: 5_000, maxWaiting: 50 }

/**
 * At most this many threads run queries that were given up. A thread ends only when SQLite returns,
 * so long queries could otherwise pile up threads.
 */
const MAX_ABANDONED = 2

const SCRIPT = new URL('./long-reads-thread.ts', import.meta.url)

interface Waiting extends PromiseWithResolvers<unknown[]> {
  query: Statement
}

/**
 * Runs the SELECTs of a SQLite database in a thread of its own, one at a time, so that a long one
 * doesn't hold up the event loop. The thread starts with the first query.
 */
export function longReadsDialect(
  path: string,
  { watch, ...limits }: Partial<LongReadLimits> & { watch?: PoolMetrics['watch'] | undefined } = {},
): Dialect {
  return sqliteDialectOf(() => {
    const reads = createLongReads(path, { ...LIMITS, ...limits })
    watch?.(() => ({ waiting: reads.waiting() }))
    return {
      async execute<R>({ sql, parameters }: Statement): Promise<QueryResult<R>> {
        return { rows: (await reads.run({ sql, parameters })) as R[] }
      },
      close: () => reads.close(),
    }
  })
}

function createLongReads(path: string, { timeoutMs, maxWaiting }: LongReadLimits) {
  let queue: Waiting[] = []
  let running: Waiting | undefined
  let thread: SqliteThread<Statement> | undefined
  let closed = false
  const ending = new Set<Promise<unknown>>()

  async function execute(
    { query, resolve, reject }: Waiting,
    by: SqliteThread<Statement>,
  ): Promise<void> {
    try {
      resolve((await by.ask(query)) as unknown[])
    } catch (cause) {
      if (!(cause instanceof ThreadEndedError)) return reject(toSqliteError(cause))
      if (thread === by) thread = undefined
      reject(new DatabaseUnavailableError('it can’t be opened', { cause }))
    }
  }

  function stopThread(): void {
    if (!thread) return
    const end = thread.terminate().finally(() => {
      ending.delete(end)
      next()
    })
    ending.add(end)
    thread = undefined
  }

  function next(): void {
    if (running || closed || ending.size >= MAX_ABANDONED) return
    const read = queue.shift()
    if (!read) return
    running = read
    thread ??= startSqliteThread<Statement>(SCRIPT, path)
    void execute(read, thread).finally(() => {
      if (running !== read) return
      running = undefined
      next()
    })
  }

  function giveUp(read: Waiting): void {
    read.reject(new DatabaseUnavailableError('a search or a list took too long'))
    queue = queue.filter((waiting) => waiting !== read)
    if (running !== read) return
    running = undefined
    stopThread()
    next()
  }

  return {
    /** @throws DatabaseUnavailableError if it takes too long or too many queries wait */
    async run(query: Statement): Promise<unknown[]> {
      if (closed) throw new DatabaseUnavailableError('it is closed')
      if (queue.length >= maxWaiting) {
        throw new DatabaseUnavailableError('too many searches and lists at once')
      }
      const read: Waiting = { query, ...Promise.withResolvers<unknown[]>() }
      const timer = setTimeout(() => giveUp(read), timeoutMs)
      queue.push(read)
      next()
      return read.promise.finally(() => clearTimeout(timer))
    },
    waiting: () => queue.length,
    async close(): Promise<void> {
      closed = true
      for (const { reject } of [...queue, ...(running ? [running] : [])]) {
        reject(new DatabaseUnavailableError('it is closed'))
      }
      queue = []
      stopThread()
      // Until a thread has ended, it has the file open.
      await Promise.all(ending)
    },
  }
}
