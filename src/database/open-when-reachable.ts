import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { databaseKind, openDatabase, type Database } from './database.ts'

/** The pauses between tries, in milliseconds: a minute in total, which a server needs to start. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]

/**
 * Opens the database (`openDatabase`). If PostgreSQL can't be reached, tries again for a minute, because it may
 * start together with this process. After that, whatever supervises the process decides.
 *
 * @throws Error that names DATABASE_URL
 */
export async function openWhenReachable(
  url: string,
  {
    logger,
    clock = { sleep: (ms) => delay(ms) },
    ...options
  }: Parameters<typeof openDatabase>[1] & {
    logger: Pick<Logger, 'warn'>
    clock?: { sleep(ms: number): Promise<void> }
  },
): Promise<Database> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await openDatabase(url, options)
    } catch (error) {
      const { message: reason, cause } = error as Error
      if (databaseKind(url) !== 'postgres') throw error
      // Loaded only here, because most installations use SQLite.
      const { isAway } = await import('./postgres-errors.ts')
      if (!isAway(cause)) throw error
      logger.warn({ reason, pauseMs }, 'the database can’t be reached yet; trying again')
      await clock.sleep(pauseMs)
    }
  }
  return openDatabase(url, options)
}
