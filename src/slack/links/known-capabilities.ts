import { LRUCache } from 'lru-cache'
import type { Capabilities } from '../../port/capabilities.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { DAY_MS } from '../../timing/days.ts'

const RETRY_AFTER_FAILURE_MS = 60_000
const WAIT_MS = 1_500
const MAX_KEYS = 10_000

export interface KnownCapabilitiesOptions {
  linkClient: (apiKey: string) => LinkService
  clock: Clock
  tasks: Pick<InFlightTasks, 'track'>
}

/**
 * Returns a function that reads what the link service can do with a key, from a cache for a day. Each process has its
 * own cache, because an update that restarts the app can also update the service. If the service doesn't respond, its
 * last response stays valid. The function waits for 1.5 s at most, and then returns undefined.
 */
export function createKnownCapabilities({ linkClient, clock, tasks }: KnownCapabilitiesOptions) {
  const cache = new LRUCache<string, { capabilities: Capabilities | undefined }>({
    max: MAX_KEYS,
    ttl: DAY_MS,
    ttlResolution: 0,
    perf: clock,
    allowStale: true,
    fetchMethod: (apiKey, stale, { options }) =>
      tasks.track(async () => {
        const capabilities = await linkClient(apiKey).readCapabilities()
        if (!capabilities) options.ttl = RETRY_AFTER_FAILURE_MS
        return { capabilities: capabilities ?? stale?.capabilities }
      }),
  })

  return async (apiKey: string): Promise<Capabilities | undefined> =>
    (await within(clock, WAIT_MS, cache.fetch(apiKey)))?.value?.capabilities
}
