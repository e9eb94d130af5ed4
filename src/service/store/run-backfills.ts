import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { indexes } from '../../database/migrations/004-backfills.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { systemClock, unlessAborted } from '../../timing/clock.ts'
import { BACKFILLS, fillNext } from './backfills.ts'

// Few, because other writes wait. With still fewer, most of the time would go into the statements' overhead.
const ROWS_AT_ONCE = 1_000

const RETRY_AFTER_MS = 1_000

/** Runs the back-fills of an upgrade and builds its indexes, beside requests. Several processes take turns. */
export async function runBackfills(
  database: Pick<Database, 'db' | 'kind' | 'write' | 'buildIndex'>,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  signal = new AbortController().signal,
): Promise<void> {
  const indexesToBuild = indexes(database.kind === 'postgres')
  const names = [...Object.keys(BACKFILLS), ...Object.keys(indexesToBuild)]
  let current: string | undefined
  const logLimit = createLogLimit(logger)
  const isAborted = (): boolean => signal.aborted

  /** Runs a part of the next back-fill. @returns the milliseconds to pause; undefined if all are done */
  async function runPart(): Promise<number | undefined> {
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
    if (index === undefined) {
      // Other writes get as much time as this one took.
      return (await database.write(fillNext(name, ROWS_AT_ONCE))) ?? RETRY_AFTER_MS
    }
    // If this process stops, PostgreSQL goes on building the index.
    const isBuilt = await unlessAborted(signal, database.buildIndex(name, index))
    if (!isBuilt) return RETRY_AFTER_MS
    await database.db.deleteFrom('backfills').where('name', '=', name).execute()
    return 0
  }

  while (!isAborted()) {
    try {
      const pauseMs = await runPart()
      if (pauseMs === undefined) return
      await systemClock.sleep(pauseMs, signal)
    } catch (err) {
      const problem = 'the upgrade of the database can’t go on; trying again'
      if (!isAborted()) logLimit.write(problem, () => logger.warn({ err }, problem))
      await systemClock.sleep(RETRY_AFTER_MS, signal).catch(() => undefined)
    }
  }
}
