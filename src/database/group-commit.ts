import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailableError } from './errors.ts'

const MAX_BATCH = 100
const MAX_QUEUED_OF_OWNER = 1_000
const MAX_QUEUED = 5_000

interface QueuedWrite<Write> {
  owner: string
  write: Write
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

const NO_OWNER = ''

/**
 * Combines writes that are requested in the same turn of the event loop, or during an earlier commit, into one commit
 * (group commit). Each commit waits for the disk, so 16 separate commits would wait 16 times.
 */
export function createGroupCommit<Write>(
  commit: (writes: readonly Write[], owners: readonly string[]) => Promise<readonly unknown[]>,
) {
  // By owner. The first owner has the next turn. No queue is empty.
  const queues = new Map<string, QueuedWrite<Write>[]>()
  let queued = 0
  let running: Promise<void> | undefined
  let isClosed = false

  function takeBatch(): QueuedWrite<Write>[] {
    const batch: QueuedWrite<Write>[] = []
    // An owner with more writes moves to the end of the map, so the loop reaches this owner again after the others.
    for (const [owner, queue] of queues) {
      const next = queue.shift()
      if (next) batch.push(next)
      queues.delete(owner)
      if (queue.length > 0) queues.set(owner, queue)
      if (batch.length === MAX_BATCH) break
    }
    queued -= batch.length
    return batch
  }

  async function drain(): Promise<void> {
    while (queues.size > 0) {
      // Lets more writes of this turn join the batch, and lets redirects run between batches.
      await nextTurn()
      await run(takeBatch())
    }
    running = undefined
  }

  async function run(batch: readonly QueuedWrite<Write>[]): Promise<void> {
    try {
      const owners = new Set(batch.map(({ owner }) => owner))
      owners.delete(NO_OWNER)
      const writes = batch.map(({ write }) => write)
      const results = await commit(writes, [...owners])
      for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    } catch (error) {
      const isUnavailable = error instanceof DatabaseUnavailableError
      if (batch.length > 1 && !isUnavailable) {
        // A failed write rolled back the whole batch. Each write runs again by itself, so that only the bad one fails.
        for (const write of batch) await run([write])
        return
      }
      // If the database is unavailable, nothing is retried. The writes would fail one after the other or, if only the
      // response to the commit was lost, be written twice.
      for (const write of batch) write.reject(error)
      if (!isUnavailable) return
      for (const { reject } of [...queues.values()].flat()) {
        reject(new DatabaseUnavailableError('an earlier write failed', { cause: error }))
      }
      queues.clear()
      queued = 0
    }
  }

  return {
    /** Owners take turns. @throws DatabaseUnavailableError if too many writes are queued, or after `close` */
    write<T>(write: Write, owner = NO_OWNER): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (isClosed) throw new DatabaseUnavailableError('it is closed')
        const queue = queues.get(owner) ?? []
        if (queue.length >= MAX_QUEUED_OF_OWNER || queued >= MAX_QUEUED) {
          throw new DatabaseUnavailableError('too many writes wait')
        }
        queue.push({ owner, write, resolve, reject } as QueuedWrite<Write>)
        queues.set(owner, queue)
        queued += 1
        running ??= drain()
      })
    },
    queued: () => queued,
    async close(): Promise<void> {
      isClosed = true
      await running
    },
  }
}
