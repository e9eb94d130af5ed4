import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** Writes in one transaction at most: a redirect on SQLite waits for no more than these. */
const MAX_BATCH = 100

/** Reads and writes in the transaction that it is given; called again if that is rolled back. */
export type Work<T> = (transaction: Transaction<Schema>) => Promise<T>

/** Writes that come together. */
export interface GroupCommit {
  /**
   * Runs the work in a transaction that it shares with others of the same moment.
   *
   * @returns what the work returned, once it is committed
   */
  write<T>(work: Work<T>): Promise<T>
}

interface Waiting {
  /** Does the work, and returns what is left to do once it is committed. */
  run: (transaction: Transaction<Schema>) => Promise<() => void>
  fail: (error: unknown) => void
}

/**
 * One commit for all writes that come in the same turn of the event loop, and for all that come
 * while an earlier commit is under way: a commit waits for the disk, and this shares the wait.
 */
export function createGroupCommit(db: Kysely<Schema>): GroupCommit {
  let waiting: Waiting[] = []
  let running = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // What else comes in this turn joins in; between batches, redirects get theirs.
      await nextTurn()
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await commit(batch)
    }
    running = false
  }

  async function commit(batch: Waiting[]): Promise<void> {
    try {
      const settle = await db.transaction().execute(async (transaction) => {
        const done: (() => void)[] = []
        for (const { run } of batch) done.push(await run(transaction))
        return done
      })
      for (const one of settle) one()
    } catch (error) {
      // One work's failure rolled back all of them: each is tried by itself, so that the others
      // succeed. This also ends a deadlock with another process on PostgreSQL.
      if (batch.length > 1) for (const one of batch) await commit([one])
      else for (const one of batch) one.fail(error)
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({
          run: async (transaction) => {
            const result = await work(transaction)
            return () => resolve(result)
          },
          fail: reject,
        })
        if (running) return
        running = true
        void drain()
      }),
  }
}
