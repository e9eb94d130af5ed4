import type { KnownBlock } from '@slack/types'
import { LRUCache } from 'lru-cache'
import { NotConnectedError } from '../../workspaces/connection.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import type { HomeTabUpdates, LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { GuestError } from '../platform/field-errors.ts'
import { patiently } from '../platform/slack-client.ts'
import { homeView, type HomeContent } from './home-view.ts'

const PUBLISH_PAUSES_MS = [1_000]

/** If Slack asks for a longer wait, the user gets the notice as a message. */
const MAX_NOTICE_WAIT_MS = 3_000

/** The tabs that are redrawn after a change. The tabs of other users are redrawn when they open them. */
const REMEMBERED_TABS = 10_000

interface Tab {
  position: ListPosition
  notice?: Notice | undefined
  drawing?: Promise<void>
  abandoned?: AbortController
}

type UserCaller = Caller & { userId: string }

/** The app's Home tab, where each user sees the links of the workspace. */
export interface HomeTab extends HomeTabUpdates {
  /** @param isEmpty true if the tab shows nothing yet. Then it first shows what is known before the service responds */
  turnTo(caller: Caller, userId: string, position: ListPosition, isEmpty?: boolean): Promise<void>
}

export function createHomeTab(
  { clock, fetchList, linkService, logger, permissions }: Omit<LinkPlatform, 'homeTab'>,
  { serviceUrl, pageLinks = [] }: { serviceUrl: string; pageLinks?: readonly KnownBlock[] },
): HomeTab {
  const tabs = new LRUCache<string, Tab>({ max: REMEMBERED_TABS })
  const host = new URL(serviceUrl).host

  const tabKey = ({ workspace, userId }: UserCaller): string => `${workspace.id} ${userId}`

  /** Only one drawing of a tab runs at a time: a later one abandons it, and begins once it has ended. */
  async function draw(tab: Tab, caller: UserCaller, showsLoading: boolean): Promise<void> {
    tab.abandoned?.abort()
    const { signal } = (tab.abandoned = new AbortController())
    const earlier = tab.drawing
    const drawing = async (): Promise<void> => {
      await earlier?.catch(() => undefined)
      if (!signal.aborted) await drawNow(tab, caller, showsLoading, signal)
    }
    await (tab.drawing = drawing())
  }

  async function drawNow(tab: Tab, caller: UserCaller, showsLoading: boolean, signal: AbortSignal) {
    const { position } = tab
    const { client, userId } = caller
    const publish = (content: HomeContent): Promise<void> => {
      const view = homeView({ ...content, pageLinks })
      const patience = tab.notice && { limitedMs: MAX_NOTICE_WAIT_MS }
      return patiently(clock, { pausesMs: PUBLISH_PAUSES_MS, ...patience }, async () => {
        if (!signal.aborted) await client.views.publish({ user_id: userId, view })
      })
    }
    const refusal = await permissions.checkMaySee(caller).then(
      () => undefined,
      (error: unknown) => ({
        messages: errorTexts(error),
        ...(!(error instanceof GuestError) && { position }),
      }),
    )
    if (refusal) return publish({ isAdmin: false, refusal })
    const known = await readConnection(caller, tab)
    if (showsLoading) {
      const first = { links: known.service && ('loading' as const), ...known, isAdmin: false }
      await publish(first).catch((err: unknown) => {
        logger.warn({ err }, 'Slack did not accept the first version of a Home tab')
      })
    }
    const [role, capabilities, links] = await Promise.all([
      // Without the scope users:read, no user is known to be an admin. The tab works without it.
      permissions.dashboardRole(caller).catch(() => undefined),
      known.service && linkService.capabilities(caller.workspace).catch(() => undefined),
      known.service ? readLinks(caller, tab, signal) : known.links,
    ])
    const hasDashboard = role !== undefined && capabilities?.signIn
    await publish({ ...known, links, isAdmin: role === 'admin', hasDashboard })
  }

  async function readConnection({ workspace }: Caller, tab: Tab) {
    try {
      const { source, domains, apiKey } = await linkService.connection(workspace)
      // The deployment's own configuration names the domain record but not its hostname.
      const domain = source === 'configured' ? undefined : domains[0]?.domain_name
      return { service: { host, domain, keyEnding: apiKey.slice(-4) } }
    } catch (error) {
      return error instanceof NotConnectedError ? {} : { links: errorContent(error, tab) }
    }
  }

  async function readLinks(caller: Caller, tab: Tab, signal: AbortSignal) {
    try {
      const page = await fetchList(caller, tab.position, { signal })
      return {
        ...page,
        rights: await permissions.readRights(caller, page.links),
        now: clock.now(),
        notice: tab.notice,
      }
    } catch (error) {
      return signal.aborted ? undefined : errorContent(error, tab)
    }
  }

  function errorContent(err: unknown, { position, notice }: Tab): HomeContent['links'] {
    logger.warn({ err }, 'the links of a Home tab could not be fetched')
    return { messages: errorTexts(err), position, notice }
  }

  return {
    async turnTo(someone, userId, position, isEmpty = false) {
      const caller = { ...someone, userId }
      const key = tabKey(caller)
      const tab: Tab = tabs.get(key) ?? { position }
      tabs.set(key, tab)
      tab.position = position
      tab.notice = undefined
      await draw(tab, caller, isEmpty)
    },

    async refresh(someone, notice) {
      const caller = { ...someone, userId: someone.userId ?? '' }
      const tab = tabs.get(tabKey(caller))
      if (!tab) return false
      if (notice) tab.notice = notice
      try {
        await draw(tab, caller, false)
        return true
      } catch (err) {
        logger.error({ err }, 'a Home tab could not be redrawn')
        return false
      }
    },
  }
}
