import { LRUCache } from 'lru-cache'
import { within, type Clock } from '../../timing/clock.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { WorkspaceLinkService } from './workspace-link-service.ts'

const REMEMBERED_MS = 60_000
const FORM_WITHIN_MS = 250

/**
 * Finds the five most used tags of a workspace, which forms suggest. The app remembers them for a minute, because
 * counting takes a while. If the service is slow, there are no suggestions.
 */
export function createMostUsedTags(
  clock: Clock,
  { capabilities, tags }: Pick<WorkspaceLinkService, 'capabilities' | 'tags'>,
) {
  const known = new LRUCache<string, string[], Workspace>({
    max: 10_000,
    ttl: REMEMBERED_MS,
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
    const names = known.fetch(workspace.id, { context: workspace })
    return (await within(clock, FORM_WITHIN_MS, names))?.value ?? []
  }
}
