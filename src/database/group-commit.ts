import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailableError } from './errors.ts'

const MAX_BATCH = 100
const MAX_WAITING_OF_OWNER = 1_000
const MAX_WAITING = 5_000

interface QueuedWrite<Write> {
  owner: string
  write: Write
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

const NO_OWNER = ''

/**
 * Uses one commit for all writes that are requested in the same turn of the event loop or during an
 * earlier commit. Each commit waits for the disk, so 16 creates that arrive together would otherwise wait 16 times.
 */
export function createGroupCommit<Write>(
  commit: (writes: readonly Write[], owners: readonly string[]) => Promise<readonly unknown[]>,
) {
  /** The owners in the order of their turns. None of their queues is empty. */
  const queues = new Map<string, QueuedWrite<Write>[]>()
  let waiting = 0
  let running: Promise<void> | undefined
  let isClosed = false

  function takeBatch(): QueuedWrite<Write>[] {
    const batch: QueuedWrite<Write>[] = []
    // An owner with more writes goes to the end of the map, and the loop comes to it again after the others.
    for (const [owner, queue] of queues) {
      const next = queue.shift()
      if (next) batch.push(next)
      queues.delete(owner)
      if (queue.length > 0) queues.set(owner, queue)
      if (batch.length === MAX_BATCH) break
    }
    waiting -= batch.length
    return batch
  }

  async function drain(): Promise<void> {
    while (queues.size > 0) {
      // Lets more writes of this turn join, and redirects run between batches.
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
      // One failed write rolled back all of them, so each gets a transaction of its own and the others
      // succeed. If the database is unavailable, the writes are not sent again: they would fail one after
      // the other, or, if only the response to the commit was lost, be written twice.
      if (batch.length > 1 && !isUnavailable) for (const write of batch) await run([write])
      else for (const write of batch) write.reject(error)
      if (isUnavailable) rejectWaiting(error)
    }
  }

  function rejectWaiting(cause: DatabaseUnavailableError): void {
    for (const { reject } of [...queues.values()].flat()) {
      reject(new DatabaseUnavailableError('an earlier write failed', { cause }))
    }
    queues.clear()
    waiting = 0
  }

  return {
    /**
     * @param owner whose data is written. Owners who write at the same time take turns
     * @throws DatabaseUnavailableError if too many writes wait
     */
    write<T>(write: Write, owner = NO_OWNER): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (isClosed) throw new DatabaseUnavailableError('it is closed')
        const queue = queues.get(owner) ?? []
        if (queue.length >= MAX_WAITING_OF_OWNER || waiting >= MAX_WAITING) {
          throw new DatabaseUnavailableError('too many writes wait')
        }
        queue.push({ owner, write, resolve, reject } as QueuedWrite<Write>)
        queues.set(owner, queue)
        waiting += 1
        running ??= drain()
      })
    },
    waiting: () => waiting,
    async close(): Promise<void> {
      isClosed = true
      await running
    },
  }
}
