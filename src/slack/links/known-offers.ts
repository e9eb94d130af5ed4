import { LRUCache } from 'lru-cache'
import type { LinkClient } from '../../client/link-client.ts'
import { NO_OFFERS, type Offers } from '../../contract/offers.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { DAY_MS } from '../../timing/days.ts'
import type { Connection, KeptOffers } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'

/** What is known of a service's offers. If that is nothing yet, it has no offers, but must not be said to lack them. */
export type KnownOffers = Offers & { isUnknown?: true }

const UNKNOWN: KnownOffers = { ...NO_OFFERS, isUnknown: true }

/** How long offers are used before they are read again, in milliseconds. */
const READ_AGAIN_MS = DAY_MS

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
  linkClient: (apiKey: string) => LinkClient
  configuredKey?: string | undefined
  clock: Clock
  tasks: InFlightTasks
}

/**
 * Knows what each workspace's link service offers, as it was last read. The service is asked again in the background if
 * the last time was before the workspace was connected, more than a day ago, or before this process started, because an
 * update of the app may also update its own service. If it can't be asked, the earlier offers stay. The offers to the
 * deployment's own key are not stored, so they are read when the process starts.
 */
export function createKnownOffers({
  workspaces,
  linkClient,
  configuredKey,
  clock,
  tasks,
}: KnownOffersOptions) {
  const startedAt = clock.now()
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED_READS })
  const reading = new Map<string, Promise<Offers | undefined>>()
  /** The offers to the deployment's own key, which is not stored. */
  let configured: KeptOffers | undefined

  function keepConfigured(offers: KeptOffers): void {
    configured = offers
  }

  function readInBackground(
    asked: string,
    apiKey: string,
    keep: (offers: KeptOffers) => Promise<void> | void,
  ): void {
    const read = async (): Promise<Offers | undefined> => {
      const offers = await linkClient(apiKey).readOffers()
      if (offers) {
        await keep({ ...offers, readAt: clock.now() })
        askedAt.delete(asked)
      }
      return offers
    }
    const work = read().finally(() => reading.delete(asked))
    reading.set(asked, work)
    tasks.runInBackground(() => work, 'what the link service offers could not be stored')
  }

  // No time is set in `askedAt`: if the service is starting too, the first request asks it again.
  if (configuredKey !== undefined) readInBackground(DEPLOYMENT, configuredKey, keepConfigured)

  function known(workspace: Workspace, connection: Connection) {
    const { apiKey, source } = connection
    const isConfigured = source === 'configured'
    const kept = isConfigured ? configured : connection.offers
    const now = clock.now()
    // The service may not have answered to an earlier key of the workspace.
    const asked = isConfigured ? DEPLOYMENT : `${workspace.id} ${apiKey}`
    const isDue = (kept?.readAt ?? -Infinity) < Math.max(now - READ_AGAIN_MS, startedAt)
    const mayAsk = !reading.has(asked) && now - (askedAt.get(asked) ?? -Infinity) >= TRY_AGAIN_MS
    if (isDue && mayAsk) {
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

  /**
   * What is known now. It waits a moment for the first read if that is nothing yet.
   *
   * @param options.latest whether to wait as well if the offers are being read again. After an update of the app, the
   *   earlier ones lack what is new
   */
  return async (
    workspace: Workspace,
    connection: Connection,
    { latest = false }: { latest?: boolean } = {},
  ): Promise<KnownOffers> => {
    const { kept, firstRead } = known(workspace, connection)
    if ((kept && !latest) || !firstRead) return kept ?? UNKNOWN
    const read = firstRead.catch(() => undefined)
    return (await within(clock, FIRST_READ_WITHIN_MS, read))?.value ?? kept ?? UNKNOWN
  }
}
