import { LRUCache } from 'lru-cache'
import { within, type Clock } from '../../client/clock.ts'
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

export interface KnownOffersOptions {
  workspaces: Pick<Workspaces, 'keepOffers'>
  /** Makes a client of the link service with this API key. */
  linkClient: (apiKey: string) => LinkClient
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
 * update its own service. If it can't be asked, the earlier offers stay.
 */
export function createKnownOffers({
  workspaces,
  linkClient,
  clock,
  tasks,
}: KnownOffersOptions): KnownOffers {
  const startedAt = clock.now()
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED_READS })
  const reading = new Map<string, Promise<Offers | undefined>>()
  /** The offers to the deployment's own key, which is not stored. */
  let configured: KeptOffers | undefined

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

  function readInBackground(asked: string, workspace: Workspace, connection: Connection): void {
    askedAt.set(asked, clock.now())
    const work = read(workspace, connection).finally(() => reading.delete(asked))
    reading.set(asked, work)
    tasks.runInBackground(() => work, 'what the link service offers could not be stored')
  }

  function known(workspace: Workspace, connection: Connection) {
    const isConfigured = connection.source === 'configured'
    const kept = isConfigured ? configured : connection.offers
    const now = clock.now()
    const asked = isConfigured ? 'the deployment' : workspace.id
    const isDue = (kept?.readAt ?? -Infinity) < Math.max(now - READ_AGAIN_MS, startedAt)
    if (isDue && now - (askedAt.get(asked) ?? -Infinity) >= TRY_AGAIN_MS) {
      readInBackground(asked, workspace, connection)
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
