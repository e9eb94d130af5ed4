import { ServiceError } from './errors.ts'

/**
 * Runs an owner's work, such as a search. If too much work of the owner is running, the new work waits for its turn.
 * @throws ServiceError RATE_LIMIT_EXCEEDED if too much work of the owner is waiting
 */
export type OwnerTurns = <T>(ownerId: string, work: () => Promise<T>) => Promise<T>

interface Owner {
  running: number
  waiting: (() => void)[]
}

export function createOwnerTurns(
  { maxRunning, maxWaiting }: Record<'maxRunning' | 'maxWaiting', number>,
  refusal: string,
): OwnerTurns {
  const busy = new Map<string, Owner>()

  async function run<T>(ownerId: string, owner: Owner, work: () => Promise<T>): Promise<T> {
    if (owner.running < maxRunning) owner.running += 1
    else await new Promise<void>((resolve) => owner.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = owner.waiting.shift()
      if (next) next()
      else if (--owner.running === 0) busy.delete(ownerId)
    }
  }

  return (ownerId, work) => {
    const owner = busy.get(ownerId) ?? { running: 0, waiting: [] }
    if (owner.running === maxRunning && owner.waiting.length === maxWaiting) {
      throw new ServiceError('RATE_LIMIT_EXCEEDED', refusal)
    }
    busy.set(ownerId, owner)
    return run(ownerId, owner, work)
  }
}

/**
 * Limits how many long reads of one owner run at once. SQLite's thread for long reads and PostgreSQL's two connections
 * take queries in the order of arrival. Without the limit, an owner with many searches made half of all other owners'
 * lists fail.
 */
export const createReadTurns = () =>
  createOwnerTurns(
    { maxRunning: 2, maxWaiting: 50 },
    'The keys of this workspace ask for too many lists, searches, clicks and reports at once (52). Try again in a second.',
  )
