import type { Logger } from 'pino'
import { systemClock, type Clock } from '../timing/clock.ts'
import { retry } from '../timing/retry.ts'
import { openDatabase, type Database, type OpenOptions } from './database.ts'
import { databaseKind } from './database-url.ts'

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]

/** Opens the database. PostgreSQL might still be starting, so this is retried for a minute if it can't be reached. */
export async function openWhenReachable(
  url: string,
  {
    logger,
    clock = systemClock,
    ...options
  }: OpenOptions & {
    logger: Pick<Logger, 'info' | 'warn'>
    clock?: Pick<Clock, 'sleep'>
  },
): Promise<Database> {
  async function waitAfter(error: unknown, failures: number): Promise<number | undefined> {
    const { message: reason, cause } = error as Error
    const pauseMs = PAUSES_MS[failures - 1]
    if (pauseMs === undefined || databaseKind(url) !== 'postgres') return undefined
    // Loaded only here, because most installations use SQLite.
    const { isUnreachable } = await import('./postgres-errors.ts')
    if (!isUnreachable(cause)) return undefined
    logger.warn({ reason, pauseMs }, 'the database can’t be reached yet; trying again')
    return pauseMs
  }
  return retry({ clock, waitAfter }, () =>
    openDatabase(url, { ...options, log: (message) => logger.info(message) }),
  )
}
