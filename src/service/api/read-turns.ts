import { ServiceError } from './errors.ts'

/**
 * SQLite's thread for long reads and PostgreSQL's two connections take queries in the order in which they come, so the
 * queries of other owners wait for at most two.
 */
const MAX_RUNNING = 2
const MAX_WAITING = 50

/** Runs a long read of an owner, perhaps after others. */
export type ReadTurns = <T>(ownerId: string, read: () => Promise<T>) => Promise<T>

/**
 * Limits the long reads of each owner, so that no owner takes them all. Without this, an owner with many searches made
 * half of all other owners' lists fail.
 */
export function createReadTurns(): ReadTurns {
  const busy = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async (ownerId, read) => {
    const owner = busy.get(ownerId) ?? { running: 0, waiting: [] }
    busy.set(ownerId, owner)
    if (owner.running < MAX_RUNNING) owner.running += 1
    else if (owner.waiting.length < MAX_WAITING) {
      await new Promise<void>((resolve) => owner.waiting.push(resolve))
    } else {
      throw new ServiceError(
        'RATE_LIMIT_EXCEEDED',
        `The keys of this workspace ask for too many lists, searches, clicks and reports at once (${MAX_RUNNING + MAX_WAITING}). Try again in a second.`,
      )
    }
    try {
      return await read()
    } finally {
      const next = owner.waiting.shift()
      if (next) next()
      else if (--owner.running === 0) busy.delete(ownerId)
    }
  }
}
