import type { KnownBlock } from '@slack/types'
import { LRUCache } from 'lru-cache'
import { NotConnectedError } from '../../workspaces/connection.ts'
import type { ListPosition } from '../block-kit/list-position.ts'
import type { Notice } from '../block-kit/notices.ts'
import { fetchList } from '../links/link-lists.ts'
import type { HomeTab, LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { GuestError } from '../platform/field-errors.ts'
import { patiently } from '../platform/slack-client.ts'
import { homeView, type HomeContent, type HomeError } from './home-view.ts'

// A notice waits this long for Slack's rate limit. After that, the user gets it as a message instead.
const MAX_NOTICE_WAIT_MS = 3_000

// How many open tabs are remembered and redrawn after a change. Other tabs are redrawn when their user opens them.
const REMEMBERED_TABS = 10_000

interface Tab {
  position: ListPosition
  notice?: Notice | undefined
  drawing: Promise<void> // The latest drawing, which might still run.
  controller: AbortController // Cancels the latest drawing.
}

export function createHomeTab(
  platform: Omit<LinkPlatform, 'homeTab'>,
  { serviceUrl, pageLinks = [] }: { serviceUrl: string; pageLinks?: readonly KnownBlock[] },
): HomeTab {
  const { clock, linkService, logger, permissions } = platform
  const tabs = new LRUCache<string, Tab>({ max: REMEMBERED_TABS })
  const host = new URL(serviceUrl).host

  const tabKey = ({ workspace, userId }: Caller): string => `${workspace.id} ${userId}`

  /** Draws a tab. A new drawing of a tab cancels the running one and waits for it to stop, so that it is shown last. */
  function draw(tab: Tab, caller: Caller, showsLoading: boolean): Promise<void> {
    tab.controller.abort()
    tab.controller = new AbortController()
    const { signal } = tab.controller
    tab.drawing = tab.drawing
      .catch(() => undefined)
      .then(async () => {
        if (!signal.aborted) await drawNow(tab, caller, showsLoading, signal)
      })
    return tab.drawing
  }

  async function drawNow(tab: Tab, caller: Caller, showsLoading: boolean, signal: AbortSignal) {
    const { client, userId = '' } = caller
    const publish = (content: HomeContent | HomeError): Promise<void> => {
      const view = homeView(content, pageLinks)
      const patience = { pausesMs: [1_000], ...(tab.notice && { limitedMs: MAX_NOTICE_WAIT_MS }) }
      return patiently(clock, patience, async () => {
        if (!signal.aborted) await client.views.publish({ user_id: userId, view })
      })
    }
    try {
      await permissions.checkMaySee(caller)
    } catch (error) {
      // Without a position, there is no button to try again, which would never help a guest.
      const position = error instanceof GuestError ? undefined : tab.position
      return publish({ messages: errorTexts(error), position })
    }
    const connection = await readConnection(caller, tab)
    const isConnected = connection.service !== undefined
    if (showsLoading) {
      const links = isConnected ? 'loading' : connection.links
      await publish({ ...connection, links, isAdmin: false }).catch((err: unknown) => {
        logger.warn({ err }, 'Slack did not accept the first version of a Home tab')
      })
    }
    const [role, capabilities, links] = await Promise.all([
      // Without the scope users:read, no user is known to be an admin. The tab works without it.
      permissions.dashboardRole(caller).catch(() => undefined),
      isConnected ? linkService.capabilities(caller.workspace).catch(() => undefined) : undefined,
      isConnected ? readLinks(caller, tab, signal) : connection.links,
    ])
    const hasDashboard = role !== undefined && capabilities?.signIn
    await publish({ ...connection, links, isAdmin: role === 'admin', hasDashboard })
  }

  /** @returns the service if the workspace is connected to one; `links` with the error if that can't be read */
  async function readConnection({ workspace }: Caller, tab: Tab) {
    try {
      const { source, domains, apiKey } = await linkService.connection(workspace)
      // The deployment's own configuration names the domain record but not its hostname.
      const domain = source === 'configured' ? undefined : domains[0]?.domain_name
      return { service: { host, domain, keyEnding: apiKey.slice(-4) } }
    } catch (error) {
      return { links: error instanceof NotConnectedError ? undefined : errorContent(error, tab) }
    }
  }

  async function readLinks(caller: Caller, tab: Tab, signal: AbortSignal) {
    try {
      const page = await fetchList(platform, caller, tab.position, { signal })
      return {
        ...page,
        rights: await permissions.readRights(caller, page.links),
        now: clock.now(),
        notice: tab.notice,
      }
    } catch (error) {
      return signal.aborted ? undefined : errorContent(error, tab) // A canceled drawing is not shown.
    }
  }

  function errorContent(err: unknown, { position, notice }: Tab): HomeError {
    logger.warn({ err }, 'the links of a Home tab could not be fetched')
    return { messages: errorTexts(err), position, notice }
  }

  return {
    async turnTo(caller, position, isEmpty = false) {
      const key = tabKey(caller)
      const { drawing = Promise.resolve(), controller = new AbortController() } =
        tabs.get(key) ?? {}
      const tab: Tab = { position, drawing, controller }
      tabs.set(key, tab)
      await draw(tab, caller, isEmpty)
    },

    async refresh(caller, notice) {
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
