import { LRUCache } from 'lru-cache'
import type { LinkClient } from '../../drivers/backhalf/link-client.ts'
import { NO_OFFERS, type Offers } from '../../port/capabilities.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { DAY_MS } from '../../timing/days.ts'

/** What is known of a service's offers. If that is nothing yet, it has no offers, but must not be said to lack them. */
export type KnownOffers = Offers & { isUnknown?: true }

const UNKNOWN: KnownOffers = { ...NO_OFFERS, isUnknown: true }

/** How long offers are used before they are read again, in milliseconds. */
const READ_AGAIN_MS = DAY_MS

/** How long to wait after a read that failed, in milliseconds. */
const TRY_AGAIN_MS = 60_000

/** How long a request waits for the first read, in milliseconds. */
const FIRST_READ_WITHIN_MS = 1_500

/** For how many keys the offers are remembered. */
const REMEMBERED_KEYS = 10_000

export interface KnownOffersOptions {
  linkClient: (apiKey: string) => LinkClient
  clock: Clock
  tasks: Pick<InFlightTasks, 'track'>
}

/**
 * Knows what the link service offers to an API key. The service is asked when this process first uses the key, because
 * an update of the app may also update its own service, and after a day again, in the background. If it can't be asked,
 * the earlier offers stay.
 */
export function createKnownOffers({ linkClient, clock, tasks }: KnownOffersOptions) {
  const known = new LRUCache<string, KnownOffers>({
    max: REMEMBERED_KEYS,
    ttl: READ_AGAIN_MS,
    ttlResolution: 0,
    perf: clock,
    allowStale: true,
    fetchMethod: (apiKey, earlier, { options }) =>
      tasks.track(async () => {
        const offers = await linkClient(apiKey).readOffers()
        if (!offers) options.ttl = TRY_AGAIN_MS
        return offers ?? earlier ?? UNKNOWN
      }),
  })

  /** Waits a moment for the first read. */
  return async (apiKey: string): Promise<KnownOffers> =>
    (await within(clock, FIRST_READ_WITHIN_MS, known.fetch(apiKey)))?.value ?? UNKNOWN
}
