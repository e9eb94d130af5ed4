import { LRUCache } from 'lru-cache'

const MAX_REMEMBERED = 10_000

/**
 * Tells caches which links have changed. A cache notes the moment before it reads a link, and later asks whether the
 * link has changed since then. A moment is the number of changes so far, not a time.
 */
export interface ChangedLinks {
  moment(): number
  hasChanged(linkId: string, since: number): boolean
  announce(linkIds: readonly string[]): void
  /** Any link might have changed. */
  announceAll(): void
}

export function createChangedLinks(maxRemembered = MAX_REMEMBERED): ChangedLinks {
  let moment = 0
  // Changes up to this moment are forgotten, so every link counts as changed since an earlier moment.
  let forgottenUntil = 0
  const lastChanges = new LRUCache<string, number>({
    max: maxRemembered,
    dispose(change, _linkId, reason) {
      if (reason === 'evict') forgottenUntil = change
    },
  })

  return {
    moment: () => moment,
    hasChanged: (linkId, since) =>
      since < forgottenUntil || since < (lastChanges.peek(linkId) ?? 0),
    announce(linkIds) {
      for (const id of linkIds) lastChanges.set(id, ++moment)
    },
    announceAll() {
      moment += 1
      forgottenUntil = moment
      lastChanges.clear()
    },
  }
}
