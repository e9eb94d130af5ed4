import { LRUCache } from 'lru-cache'
import { within, type Clock } from '../../timing/clock.ts'
import type { LinkClient } from '../../client/link-client.ts'
import { NO_OFFERS, type Offers } from '../../contract/offers.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { Connection, KeptOffers } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'

/** How long offers are used before they are read again, in milliseconds. */
const READ_AGAIN_MS = 86_400_000

/** How long to wait after a read that failed, in milliseconds. */
const TRY_AGAIN_MS = 5 * 60_000

/** How long a drawn list waits for the first read, in milliseconds. */
const FIRST_READ_WITHIN_MS = 1_500

/** How many workspaces' latest reads are remembered. */
const REMEMBERED_READS = 10_000

/** Stands for all workspaces that use the deployment's own key. */
const DEPLOYMENT = 'the deployment'

export interface KnownOffersOptions {
  workspaces: Pick<Workspaces, 'keepOffers'>
  /** Makes a client of the link service with this API key. */
  linkClient: (apiKey: string) => LinkClient
  /** The deployment's own API key, if it has one. */
  configuredKey?: string | undefined
  clock: Clock
  tasks: InFlightTasks
}

/** What a workspace's link service offers, as far as is known. */
export interface KnownOffers {
  /** What is known now. */
  now: (workspace: Workspace, connection: Connection) => Offers
  /** The same, but if nothing is known yet, waits a moment for the first read. */
  soon: (workspace: Workspace, connection: Connection) => Promise<Offers>
}

/**
 * Knows what each workspace's link service offers, as it was last read. The service is asked in the background
 * if it was asked more than a day ago, or before this process started, because an update of the app may also
 * update its own service. If it can't be asked, the earlier offers stay. The offers to the deployment's own key
 * are not stored, so they are read when the process starts.
 */
export function createKnownOffers({
  workspaces,
  linkClient,
  configuredKey,
  clock,
  tasks,
}: KnownOffersOptions): KnownOffers {
  const startedAt = clock.now()
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED_READS })
  const reading = new Map<string, Promise<Offers | undefined>>()
  /** The offers to the deployment's own key, which is not stored. */
  let configured: KeptOffers | undefined

  async function read(
    apiKey: string,
    keep: (offers: KeptOffers) => Promise<void> | void,
  ): Promise<Offers | undefined> {
    const offers = await linkClient(apiKey).readOffers()
    if (offers) await keep({ ...offers, readAt: clock.now() })
    return offers
  }

  function keepConfigured(offers: KeptOffers): void {
    configured = offers
  }

  function readInBackground(asked: string, ...args: Parameters<typeof read>): void {
    const work = read(...args).finally(() => reading.delete(asked))
    reading.set(asked, work)
    tasks.runInBackground(() => work, 'what the link service offers could not be stored')
  }

  // No time is set in `askedAt`: if the service is starting too, the first request asks it again.
  if (configuredKey !== undefined) readInBackground(DEPLOYMENT, configuredKey, keepConfigured)

  function known(workspace: Workspace, connection: Connection) {
    const isConfigured = connection.source === 'configured'
    const kept = isConfigured ? configured : connection.offers
    const now = clock.now()
    const asked = isConfigured ? DEPLOYMENT : workspace.id
    const isDue = (kept?.readAt ?? -Infinity) < Math.max(now - READ_AGAIN_MS, startedAt)
    const mayAsk = !reading.has(asked) && now - (askedAt.get(asked) ?? -Infinity) >= TRY_AGAIN_MS
    if (isDue && mayAsk) {
      const { apiKey } = connection
      askedAt.set(asked, now)
      readInBackground(
        asked,
        apiKey,
        isConfigured
          ? keepConfigured
          : (offers) => workspaces.keepOffers(workspace.id, apiKey, offers),
      )
    }
    return { kept, firstRead: reading.get(asked) }
  }

  return {
    now: (workspace, connection) => known(workspace, connection).kept ?? NO_OFFERS,
    async soon(workspace, connection) {
      const { kept, firstRead } = known(workspace, connection)
      if (kept || !firstRead) return kept ?? NO_OFFERS
      const read = firstRead.catch(() => undefined)
      return (await within(clock, FIRST_READ_WITHIN_MS, read))?.value ?? NO_OFFERS
    },
  }
}
