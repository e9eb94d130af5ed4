import { LRUCache } from 'lru-cache'
import type { Capabilities } from '../../port/capabilities.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { DAY_MS } from '../../timing/days.ts'

const READ_AGAIN_MS = DAY_MS
const TRY_AGAIN_MS = 60_000
const FIRST_READ_WITHIN_MS = 1_500
const REMEMBERED_KEYS = 10_000

export interface KnownCapabilitiesOptions {
  linkClient: (apiKey: string) => LinkService
  clock: Clock
  tasks: Pick<InFlightTasks, 'track'>
}

/**
 * Finds out what the link service can do with a key, and remembers it for a day. Each process asks the service itself,
 * because an update that restarts the app can also update the service. If the service doesn't respond, its last
 * response stays valid.
 */
export function createKnownCapabilities({ linkClient, clock, tasks }: KnownCapabilitiesOptions) {
  const known = new LRUCache<string, { capabilities: Capabilities | undefined }>({
    max: REMEMBERED_KEYS,
    ttl: READ_AGAIN_MS,
    ttlResolution: 0,
    perf: clock,
    allowStale: true,
    fetchMethod: (apiKey, earlier, { options }) =>
      tasks.track(async () => {
        const capabilities = await linkClient(apiKey).readCapabilities()
        if (!capabilities) options.ttl = TRY_AGAIN_MS
        return { capabilities: capabilities ?? earlier?.capabilities }
      }),
  })

  return async (apiKey: string): Promise<Capabilities | undefined> =>
    (await within(clock, FIRST_READ_WITHIN_MS, known.fetch(apiKey)))?.value?.capabilities
}
