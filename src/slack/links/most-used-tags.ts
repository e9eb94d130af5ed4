import { LRUCache } from 'lru-cache'
import { within, type Clock } from '../../timing/clock.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { WorkspaceLinkService } from './links.ts'

const CACHE_MS = 60_000
const WAIT_MS = 250

/**
 * Returns a function that reads the five most used tags of a workspace, which forms suggest, from a cache for a minute.
 * If the service is slow, there are no suggestions.
 */
export function createMostUsedTags(
  clock: Clock,
  { capabilities, tags }: Pick<WorkspaceLinkService, 'capabilities' | 'tags'>,
) {
  const cache = new LRUCache<string, string[], Workspace>({
    max: 10_000,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: clock,
    allowStale: true,
    fetchMethod: async (_id, stale, { context }) => {
      const read = await tags(context).catch(() => undefined)
      return read?.slice(0, 5).map(({ name }) => name) ?? stale ?? []
    },
  })
  return async (workspace: Workspace): Promise<string[]> => {
    if (!(await capabilities(workspace)).tags) return []
    const names = cache.fetch(workspace.id, { context: workspace })
    return (await within(clock, WAIT_MS, names))?.value ?? []
  }
}
