import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { DatabaseUnavailableError } from './errors.ts'
import type { Schema } from './schema.ts'
import { transact } from './transact.ts'

/** The maximum number of writes in one transaction. On SQLite, other writes wait for them. */
const MAX_BATCH = 100

/** Reads and writes in a transaction. It is called again if the transaction is rolled back. */
export type WriteTask<T> = (transaction: Transaction<Schema>) => Promise<T>

/** A task for several items at once. @returns one result for each item */
export type BulkWriteTask<Item, T> = (
  transaction: Transaction<Schema>,
  items: readonly Item[],
) => Promise<readonly T[]>

/** Combines concurrent writes into shared transactions. */
export interface GroupCommit {
  /**
   * Runs the task in a transaction that it shares with concurrent tasks.
   *
   * @param owner what the task writes to, if it is to be locked before any task of the transaction runs
   * @returns the task's result, once it is committed
   */
  write<T>(owner: string | undefined, task: WriteTask<T>): Promise<T>
  /**
   * Returns a function that writes an item in the same way, but with one call of the task for all items of
   * a transaction.
   */
  inBulk<Item, T>(
    task: BulkWriteTask<Item, T>,
  ): (owner: string | undefined, item: Item) => Promise<T>
}

/** The error of writes that waited behind one for which the database was away. */
function notTried(cause: DatabaseUnavailableError): DatabaseUnavailableError {
  return new DatabaseUnavailableError('an earlier write failed', { cause })
}

interface QueuedWrite {
  owner: string | undefined
  /** The same for all items that one call can write. */
  task: BulkWriteTask<unknown, unknown>
  item: unknown
  resolve: (result: unknown) => void
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
      const results = await transact(db, async (transaction) => {
        await lock?.(transaction, [...new Set(batch.flatMap(({ owner }) => owner ?? []))])
        return run(transaction, batch)
      })
      committed?.(batch.length)
      for (const [{ resolve }, result] of results) resolve(result)
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

  function enqueue<Item, T>(
    owner: string | undefined,
    item: Item,
    task: BulkWriteTask<Item, T>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({ owner, item, task, resolve, reject } as QueuedWrite)
      if (running) return
      running = true
      void drain()
    })
  }

  return {
    write(owner, task) {
      // The transaction belongs to the request that began it, but each task to its own.
      const inOwnRequest = AsyncLocalStorage.snapshot()
      return enqueue(owner, undefined, async (transaction) => [
        await inOwnRequest(task, transaction),
      ])
    },
    inBulk: (task) => (owner, item) => enqueue(owner, item, task),
  }
}

/** Calls each task once, with all of its items. */
async function run(
  transaction: Transaction<Schema>,
  batch: readonly QueuedWrite[],
): Promise<[QueuedWrite, unknown][]> {
  const calls = [...Map.groupBy(batch, ({ task }) => task)]
  const done: [QueuedWrite, unknown][] = []
  for (const [task, writes] of calls) {
    const results = await task(
      transaction,
      writes.map(({ item }) => item),
    )
    done.push(...writes.map((write, index): [QueuedWrite, unknown] => [write, results[index]]))
  }
  return done
}
