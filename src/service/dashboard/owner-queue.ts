import { ServiceError } from '../api/errors.ts'

const MAX_QUEUED = 3

export function createOwnerQueue() {
  const unfinished = new Map<string, Promise<void>[]>()

  /**
   * @param ended resolves, and never rejects, once the new work has ended
   * @returns resolves once the owner's earlier work has ended
   */
  return function enter(owner: string, ended: Promise<unknown>): Promise<unknown> {
    const earlier = unfinished.get(owner) ?? []
    if (earlier.length === MAX_QUEUED) {
      throw new ServiceError(
        'RATE_LIMIT_EXCEEDED',
        'Too many imports or bulk changes are waiting for this workspace. Try again when one has finished.',
      )
    }
    const place = ended.then(() => {
      const left = unfinished.get(owner)?.filter((one) => one !== place) ?? []
      if (left.length > 0) unfinished.set(owner, left)
      else unfinished.delete(owner)
    })
    unfinished.set(owner, [...earlier, place])
    return Promise.all(earlier)
  }
}
