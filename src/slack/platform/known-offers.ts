import { LRUCache } from 'lru-cache'
import type { Clock } from '../../client/clock.ts'
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

/** How many workspaces' latest reads are remembered. */
const REMEMBERED_READS = 10_000

export interface KnownOffersOptions {
  workspaces: Pick<Workspaces, 'keepOffers'>
  /** Makes a client of the link service with this API key. */
  linkClient: (apiKey: string) => LinkClient
  clock: Clock
  tasks: InFlightTasks
}

/**
 * Returns what a workspace's link service offers, as it was last read. The service is asked in the background
 * if it was asked more than a day ago, or before this process started, because an update of the app may also
 * update its own service. If it can't be asked, the earlier offers stay.
 *
 * @returns a function; if `waits` and nothing is known yet, it waits for the service, up to four seconds
 */
export function createKnownOffers({
  workspaces,
  linkClient,
  clock,
  tasks,
}: KnownOffersOptions): (
  workspace: Workspace,
  connection: Connection,
  options?: { waits?: boolean },
) => Promise<Offers> {
  const startedAt = clock.now()
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED_READS })
  /** The offers to the deployment's own key, which is not stored. */
  let configured: KeptOffers | undefined
  /** What is being read at the moment. */
  const reading = new Map<string, Promise<Offers | undefined>>()

  async function read(
    { id }: Workspace,
    { apiKey, source }: Connection,
  ): Promise<Offers | undefined> {
    const offers = await linkClient(apiKey).readOffers()
    if (!offers) return undefined
    const kept = { ...offers, readAt: clock.now() }
    if (source === 'configured') configured = kept
    else await workspaces.keepOffers(id, apiKey, kept)
    return offers
  }

  return async (workspace, connection, { waits = false } = {}) => {
    const isConfigured = connection.source === 'configured'
    const kept = isConfigured ? configured : connection.offers
    const now = clock.now()
    const asked = isConfigured ? 'the deployment' : workspace.id
    const isDue = (kept?.readAt ?? -Infinity) < Math.max(now - READ_AGAIN_MS, startedAt)
    if (isDue && now - (askedAt.get(asked) ?? -Infinity) >= TRY_AGAIN_MS) {
      askedAt.set(asked, now)
      tasks.runInBackground(async () => {
        const offers = read(workspace, connection)
        reading.set(asked, offers)
        await offers.finally(() => reading.delete(asked))
      }, 'what the link service offers could not be stored')
    }
    if (kept) return kept
    return (waits && (await reading.get(asked)?.catch(() => undefined))) || NO_OFFERS
  }
}
