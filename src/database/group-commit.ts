import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { DatabaseUnavailableError } from './errors.ts'
import type { Schema } from './schema.ts'
import { transact } from './transact.ts'

/** The maximum number of writes in one transaction. On SQLite, other writes wait for them. */
const MAX_BATCH = 100

/** Reads and writes in a transaction. It is called again if the transaction is rolled back. */
export type WriteTask<T> = (transaction: Transaction<Schema>) => Promise<T>

/** Combines concurrent writes into shared transactions. */
export interface GroupCommit {
  /**
   * Runs the task in a transaction that it shares with concurrent tasks.
   *
   * @param owner what the task writes to, if it is to be locked before any task of the transaction runs
   * @returns the task's result, once it is committed
   */
  write<T>(owner: string | undefined, task: WriteTask<T>): Promise<T>
}

/** The error of writes that waited behind one for which the database was away. */
function notTried(cause: DatabaseUnavailableError): DatabaseUnavailableError {
  return new DatabaseUnavailableError('an earlier write failed', { cause })
}

interface QueuedWrite {
  owner: string | undefined
  /** Runs the task, and returns what is left to do after the commit. */
  run: (transaction: Transaction<Schema>) => Promise<() => void>
  reject: (error: unknown) => void
}

/**
 * Uses one commit for all writes that are requested in the same turn of the event loop or during an
 * earlier commit. A commit waits for the disk, and this way they share the wait.
 *
 * @param lock locks all owners of a transaction at once, so that two processes don't wait for each other
 * @param committed called with the number of writes of each commit
 */
export function createGroupCommit(
  db: Kysely<Schema>,
  lock?: (transaction: Transaction<Schema>, owners: readonly string[]) => Promise<void>,
  committed?: (writes: number) => void,
): GroupCommit {
  let queue: QueuedWrite[] = []
  let running = false

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Lets more writes of this turn join, and redirects run between batches.
      await nextTurn()
      const batch = queue.slice(0, MAX_BATCH)
      queue = queue.slice(MAX_BATCH)
      await commit(batch)
    }
    running = false
  }

  async function commit(batch: QueuedWrite[]): Promise<void> {
    try {
      const resolvers = await transact(db, async (transaction) => {
        await lock?.(transaction, [...new Set(batch.flatMap(({ owner }) => owner ?? []))])
        const done: (() => void)[] = []
        for (const { run } of batch) done.push(await run(transaction))
        return done
      })
      committed?.(batch.length)
      for (const resolve of resolvers) resolve()
    } catch (error) {
      const isUnavailable = error instanceof DatabaseUnavailableError
      // One failed task rolled back all of them, so each gets a transaction of its own and the
      // others succeed. If the database is away, they would only fail one after the other. And if
      // the answer to a commit was lost, they may have been committed.
      if (batch.length > 1 && !isUnavailable) for (const write of batch) await commit([write])
      else for (const write of batch) write.reject(error)
      if (isUnavailable) for (const write of queue.splice(0)) write.reject(notTried(error))
    }
  }

  return {
    write: (owner, task) =>
      new Promise((resolve, reject) => {
        queue.push({
          owner,
          run: async (transaction) => {
            const result = await task(transaction)
            return () => resolve(result)
          },
          reject,
        })
        if (running) return
        running = true
        void drain()
      }),
  }
}
