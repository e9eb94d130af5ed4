const MAX_REMEMBERED = 10_000

/**
 * Remembers which links have changed lately, so that caches know which entries are outdated. A cache notes the moment
 * before it reads a link, and later asks whether the link has changed since then. A moment is the number of changes so
 * far, not a time.
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
  const lastChanges = new Map<string, number>()
  // Changes up to this moment are forgotten, so every link counts as changed since an earlier moment.
  let forgottenUntil = 0

  function forgetOldest(): void {
    const [oldest] = lastChanges
    if (!oldest) return
    const [linkId, changedAt] = oldest
    lastChanges.delete(linkId)
    forgottenUntil = changedAt
  }

  return {
    moment: () => moment,
    hasChanged: (linkId, since) => since < forgottenUntil || since < (lastChanges.get(linkId) ?? 0),
    announce(linkIds) {
      for (const id of linkIds) {
        moment += 1
        // Deleted first, so that the map stays in the order of the changes.
        lastChanges.delete(id)
        lastChanges.set(id, moment)
        if (lastChanges.size > maxRemembered) forgetOldest()
      }
    },
    announceAll() {
      moment += 1
      forgottenUntil = moment
      lastChanges.clear()
    },
  }
}
