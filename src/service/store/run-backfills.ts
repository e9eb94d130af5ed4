import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { indexes } from '../../database/migrations/004-backfills.ts'
import { systemClock, unlessAborted } from '../../timing/clock.ts'
import { BACKFILLS, fillNext } from './backfills.ts'

/** How long a write should take, because others can wait for it. */
const WRITE_MS = 40

/** How many rows a write fills. On a busy machine, fewer would take as long, because of the number of statements. */
const MIN_ROWS = 500
const MAX_ROWS = 10_000

/** How long to wait for another process, or after an error. */
const WAIT_MS = 1_000

const LOG_EVERY_MS = 30_000

type Connection = Pick<Database, 'db' | 'kind' | 'write' | 'buildIndex'>
type Logger = Pick<FastifyBaseLogger, 'info' | 'warn'>

/** Runs what is left of the back-fills of an upgrade. Several processes take turns. @param signal ends it earlier */
export async function runBackfills(
  database: Connection,
  logger: Logger,
  signal = new AbortController().signal,
): Promise<void> {
  const built = indexes(database.kind === 'postgres')
  const names = [...Object.keys(BACKFILLS), ...Object.keys(built)]
  let current: { name: string; total: number; loggedAt: number } | undefined
  let limit = MIN_ROWS
  let isFailing = false
  const log = (what: string): void => logger.info(`upgrading the database beside requests: ${what}`)

  /** Does a part of the next one. @returns how long to pause; undefined if all are done */
  async function work(): Promise<number | undefined> {
    const rows = await database.db.selectFrom('backfills').select(['name', 'filled']).execute()
    const pending = names.flatMap((name) => rows.find((row) => row.name === name) ?? [])
    const [next] = pending
    if (current && current.name !== next?.name)
      log(`${current.name} is done, ${pending.length} left`)
    if (!next) return undefined
    const { name, filled } = next
    if (current?.name !== name) {
      current = { name, total: await estimateRows(database, name), loggedAt: performance.now() }
      log(`${name} begins`)
    } else if (performance.now() - current.loggedAt > LOG_EVERY_MS) {
      current.loggedAt = performance.now()
      log(`${name}, ${Math.min(99, Math.floor((100 * filled) / current.total))} %`)
    }
    const on = built[name]
    if (on !== undefined) {
      // PostgreSQL goes on if this process stops.
      if (!(await unlessAborted(signal, database.buildIndex(name, on)))) return WAIT_MS
      await database.db.deleteFrom('backfills').where('name', '=', name).execute()
      return WRITE_MS
    }
    const ms = await database.write(fillNext(name, limit))
    if (ms === undefined) return WAIT_MS
    const fitting = Math.round(limit * Math.min(2, WRITE_MS / ms))
    limit = Math.max(MIN_ROWS, Math.min(MAX_ROWS, fitting))
    // Others get at least half of the time.
    return ms
  }

  while (!signal.aborted) {
    try {
      const pauseMs = await work()
      isFailing = false
      if (pauseMs === undefined) return
      await systemClock.sleep(pauseMs, signal)
    } catch (err) {
      const isReported = isFailing || signal.aborted
      if (!isReported) logger.warn({ err }, 'the upgrade of the database can’t go on; trying again')
      isFailing = true
      await systemClock.sleep(WAIT_MS, signal).catch(() => undefined)
    }
  }
}

/** How many rows a back-fill reads, about. Counting them would take too long. */
async function estimateRows({ db, kind }: Connection, name: string): Promise<number> {
  const table = BACKFILLS[name]?.table
  if (!table) return 1
  const count =
    kind === 'sqlite'
      ? sql<{ rows: number }>`select max(rowid) as rows from ${sql.table(table)}`
      : sql<{
          rows: number
        }>`select cast(reltuples as bigint) as rows from pg_class where oid = to_regclass(${table})`
  return Math.max(1, (await count.execute(db)).rows[0]?.rows ?? 1)
}
