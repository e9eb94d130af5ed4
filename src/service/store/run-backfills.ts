import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { indexes } from '../../database/migrations/004-backfills.ts'
import { systemClock, unlessAborted } from '../../timing/clock.ts'
import { BACKFILLS, fillNext } from './backfills.ts'

/** Few, because other writes wait. With still fewer, statements would take longer than rows. */
const ROWS_AT_ONCE = 1_000

const WAIT_MS = 1_000

/** Runs the back-fills of an upgrade and builds its indexes, while requests go on. Several processes take turns. */
export async function runBackfills(
  database: Pick<Database, 'db' | 'kind' | 'write' | 'buildIndex'>,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  signal = new AbortController().signal,
): Promise<void> {
  const indexesToBuild = indexes(database.kind === 'postgres')
  const names = [...Object.keys(BACKFILLS), ...Object.keys(indexesToBuild)]
  let current: string | undefined
  let isFailing = false

  // Runs a part of the next back-fill, and returns the milliseconds to pause; undefined if all are done.
  async function work(): Promise<number | undefined> {
    const rows = await database.db.selectFrom('backfills').select('name').execute()
    const pending = names.filter((name) => rows.some((row) => row.name === name))
    const [name] = pending
    if (name !== current) {
      const progress = name === undefined ? 'all is done' : `${name}, of ${pending.length}`
      logger.info(`upgrading the database beside requests: ${progress}`)
    }
    current = name
    if (name === undefined) return undefined
    const index = indexesToBuild[name]
    // Pauses as long as the write took, for other writes.
    if (index === undefined) return (await database.write(fillNext(name, ROWS_AT_ONCE))) ?? WAIT_MS
    // If this process stops, PostgreSQL goes on building the index.
    if (!(await unlessAborted(signal, database.buildIndex(name, index)))) return WAIT_MS
    await database.db.deleteFrom('backfills').where('name', '=', name).execute()
    return 0
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
