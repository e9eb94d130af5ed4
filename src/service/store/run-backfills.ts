import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { indexes, REMOVAL, removals } from '../../database/migrations/004-backfills.ts'
import { systemClock, unlessAborted } from '../../timing/clock.ts'
import { BACKFILLS, fillNext } from './backfills.ts'

/** How long a write should take, because others may wait for it, in milliseconds. */
const WRITE_MS = 40

/** How many rows a write fills. On a busy machine, fewer would take as long, because of the number of statements. */
const [MIN_ROWS, MAX_ROWS] = [500, 10_000]

/** How long to wait for another process, or after an error, and how often progress is logged, in milliseconds. */
const [WAIT_MS, LOG_EVERY_MS] = [1_000, 30_000]

type Connection = Pick<Database, 'db' | 'kind' | 'write' | 'buildIndex'>
type Logger = Pick<FastifyBaseLogger, 'info' | 'warn'>

/** Does what an upgrade has left to do beside requests, until it is closed. */
export function startBackfills(database: Connection, logger: Logger) {
  const closing = new AbortController()
  const done = runBackfills(database, logger, closing.signal)
  return {
    async close(): Promise<void> {
      closing.abort()
      await done
    },
  }
}

/**
 * Does all that an upgrade has left to do, from where an earlier process was stopped. Several processes take turns.
 *
 * @param signal ends it earlier
 */
export async function runBackfills(
  database: Connection,
  logger: Logger,
  signal = new AbortController().signal,
): Promise<void> {
  const doNext = createWorker(database, signal)
  let current: { name: string; rows: number; loggedAt: number } | undefined
  let isFailing = false
  const log = (what: string): void => logger.info(`upgrading the database beside requests: ${what}`)
  while (!signal.aborted) {
    let pauseMs = WAIT_MS
    try {
      const pending = await readPending(database)
      const [next] = pending
      if (current && current.name !== next?.name) {
        log(`${current.name} is done, ${pending.length} left`)
      }
      if (!next) return
      if (current?.name !== next.name) {
        const rows = await estimateRows(database, next.name)
        current = { name: next.name, rows, loggedAt: performance.now() }
        log(`${next.name} begins`)
      } else if (performance.now() - current.loggedAt > LOG_EVERY_MS) {
        current.loggedAt = performance.now()
        log(`${next.name}, ${Math.min(99, Math.floor((100 * next.filled) / current.rows))} %`)
      }
      pauseMs = await doNext(next.name)
      isFailing = false
    } catch (err) {
      if (!isFailing && !signal.aborted) {
        logger.warn({ err }, 'the upgrade of the database can’t go on; trying again')
      }
      isFailing = true
    }
    await systemClock.sleep(pauseMs, signal).catch(() => undefined)
  }
}

/** Returns what is left to do, in its order. */
async function readPending({ db, kind }: Connection) {
  const names = [...Object.keys(BACKFILLS), ...Object.keys(indexes(kind === 'postgres')), REMOVAL]
  const rows = await db.selectFrom('backfills').select(['name', 'filled']).execute()
  return names.flatMap((name) => rows.find((row) => row.name === name) ?? [])
}

/** How many rows a back-fill reads, about. The exact number would take too long. */
async function estimateRows({ db, kind }: Connection, name: string): Promise<number> {
  const table = BACKFILLS[name]?.table
  if (!table) return NaN
  const { rows } = await (
    kind === 'sqlite'
      ? sql<{ count: number }>`select max(rowid) as count from ${sql.table(table)}`
      : sql<{
          count: number
        }>`select cast(reltuples as bigint) as count from pg_class where oid = to_regclass(${table})`
  ).execute(db)
  return Math.max(1, rows[0]?.count ?? 1)
}

/** @returns a function that does a part of something, and returns how long to pause, in milliseconds */
function createWorker(
  { db, kind, write, buildIndex }: Connection,
  signal: AbortSignal,
): (name: string) => Promise<number> {
  const built = indexes(kind === 'postgres')
  let rows = MIN_ROWS
  return async (name) => {
    if (name in BACKFILLS) {
      const ms = await write(fillNext(name, rows))
      if (ms === undefined) return WAIT_MS
      const factor = Math.min(2, Math.max(0.5, WRITE_MS / ms))
      rows = Math.max(MIN_ROWS, Math.min(MAX_ROWS, Math.round(rows * factor)))
      // Other work gets at least half of the time.
      return ms
    }
    const definition = built[name]
    // PostgreSQL goes on if this process stops.
    if (definition && !(await unlessAborted(signal, buildIndex(name, definition)))) return WAIT_MS
    if (name === REMOVAL) {
      for (const statement of removals(kind === 'postgres')) await sql.raw(statement).execute(db)
    }
    await db.deleteFrom('backfills').where('name', '=', name).execute()
    return WRITE_MS
  }
}
