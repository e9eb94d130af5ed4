const MAX_REMEMBERED = 10_000

/**
 * Remembers which links have changed lately, for caches. A cache notes the moment before it reads a link, and later
 * asks whether the link has changed since that moment.
 */
export interface ChangedLinks {
  moment(): number
  hasChanged(linkId: string, since: number): boolean
  announce(linkIds: readonly string[]): void
  announceAll(): void
}

export function createChangedLinks(maxRemembered = MAX_REMEMBERED): ChangedLinks {
  let now = 0
  let knownSince = 0
  const lastChanges = new Map<string, number>()

  function forgetOldest(): void {
    const [oldest] = lastChanges
    if (!oldest) return
    lastChanges.delete(oldest[0])
    knownSince = oldest[1]
  }

  return {
    moment: () => now,
    hasChanged: (linkId, since) => since < knownSince || since < (lastChanges.get(linkId) ?? 0),
    announce(linkIds) {
      for (const id of linkIds) {
        lastChanges.delete(id)
        lastChanges.set(id, ++now)
        if (lastChanges.size > maxRemembered) forgetOldest()
      }
    },
    announceAll() {
      knownSince = ++now
      lastChanges.clear()
    },
  }
}
