import { LRUCache } from 'lru-cache'
import type { Connection } from '../../workspaces/connection.ts'
import { isAdmin, type Caller } from '../platform/caller.ts'
import { explainError } from '../platform/error-messages.ts'
import { fieldErrorText } from '../platform/field-errors.ts'
import { FIRST_PAGE, fetchLinkPage, type ListPosition } from '../platform/link-pages.ts'
import { NotConnectedError } from '../platform/link-service.ts'
import type { HomeTabUpdates, Platform } from '../platform/platform.ts'
import { isTemporary, retryAfterMs } from '../platform/slack-client.ts'
import { homeView, type HomeContent, type HomeError, type HomeService } from './home-view.ts'

/** How many users' Home tabs are remembered. A forgotten tab is drawn when the user opens it again. */
const REMEMBERED_USERS = 10_000

/** How long to wait, in milliseconds, before a tab is published again that Slack did not accept. */
const PUBLISH_PAUSES_MS = [1_000]

/** A longer Retry-After of Slack's counts as this many milliseconds. */
const LONGEST_WAIT_MS = 60_000

/** Draws each user's Home tab. */
export interface HomeTab extends HomeTabUpdates {
  /**
   * Draws the tab with the newest links when the user opens it.
   *
   * @param isEmpty whether the tab shows nothing yet: then it first shows what is known before the link
   *   service answers
   */
  open(caller: Caller, userId: string, isEmpty: boolean): Promise<void>
  /** Shows another page of links. */
  turnTo(caller: Caller, userId: string, position: ListPosition): Promise<void>
}

/** A request to draw a tab. */
interface Drawing {
  caller: Caller
  position: ListPosition
  /** Whether to show something before the link service has answered. */
  showAtOnce: boolean
}

interface Tab {
  position: ListPosition
  /** The latest drawing that was requested and has not started. */
  next?: Drawing | undefined
  /** The drawing in progress, followed by those requested meanwhile. */
  running?: Promise<void> | undefined
}

export function createHomeTab(
  { clock, linkService, logger, permission }: Omit<Platform, 'homeTab'>,
  { serviceUrl }: { serviceUrl: string },
): HomeTab {
  const tabs = new LRUCache<string, Tab>({ max: REMEMBERED_USERS })
  const host = new URL(serviceUrl).host

  const keyOf = ({ workspace }: Caller, userId: string): string => `${workspace.id} ${userId}`

  function tabOf(caller: Caller, userId: string): Tab {
    const key = keyOf(caller, userId)
    const tab = tabs.get(key) ?? { position: FIRST_PAGE }
    tabs.set(key, tab)
    return tab
  }

  /** If several drawings are requested while one is in progress, only the last of them is drawn. */
  function draw(tab: Tab, userId: string, drawing: Drawing): Promise<void> {
    tab.position = drawing.position
    tab.next = { ...drawing, showAtOnce: drawing.showAtOnce || tab.next?.showAtOnce === true }
    tab.running ??= drawAll(tab, userId)
    return tab.running
  }

  async function drawAll(tab: Tab, userId: string): Promise<void> {
    try {
      while (tab.next) {
        const drawing = tab.next
        tab.next = undefined
        await drawOne(userId, drawing, () => tab.next !== undefined)
      }
    } finally {
      tab.running = undefined
    }
  }

  async function drawOne(
    userId: string,
    { caller, position, showAtOnce }: Drawing,
    isOutdated: () => boolean,
  ): Promise<void> {
    const publish = async (content: HomeContent): Promise<void> => {
      const view = homeView(content)
      const pauses = [...PUBLISH_PAUSES_MS]
      // A later drawing shows everything that this one would.
      while (!isOutdated()) {
        try {
          await caller.client.views.publish({ user_id: userId, view })
          return
        } catch (error) {
          const pause = pauses.shift()
          if (pause === undefined || !isTemporary(error)) throw error
          await clock.sleep(Math.min(retryAfterMs(error) ?? pause, LONGEST_WAIT_MS))
        }
      }
    }
    const refusal = await refusalOf({ ...caller, userId }, position)
    if (refusal) {
      await publish({ isAdmin: false, refusal })
      return
    }
    const known = await connectionOf(caller, position)
    if (showAtOnce) {
      const first = {
        ...known,
        isAdmin: false,
        ...(known.service && { links: 'loading' as const }),
      }
      await publish(first).catch((err: unknown) => {
        logger.warn({ err }, 'Slack did not accept the first version of a Home tab')
      })
    }
    const [admin, links] = await Promise.all([
      isKnownAdmin(caller, userId),
      known.service ? linksOf(caller, position) : known.links,
    ])
    await publish({ ...known, links, isAdmin: admin })
  }

  /** Why the user may not see the links; undefined if they may. */
  async function refusalOf(caller: Caller, position: ListPosition): Promise<HomeError | undefined> {
    return permission.checkMaySee(caller).then(
      () => undefined,
      (error: unknown) => ({ messages: explainError(error).map(fieldErrorText), position }),
    )
  }

  async function connectionOf(
    { workspace }: Caller,
    position: ListPosition,
  ): Promise<Pick<HomeContent, 'service' | 'links'>> {
    try {
      return { service: serviceOf(await linkService.connection(workspace)) }
    } catch (error) {
      return error instanceof NotConnectedError ? {} : { links: errorContent(error, position) }
    }
  }

  function serviceOf({ source, domains, apiKey }: Connection): HomeService {
    // The deployment's own configuration names the domain record but not its hostname.
    const domain = source === 'configured' ? undefined : domains[0]
    return { host, domain: domain?.domain_name, keyEnding: apiKey.slice(-4) }
  }

  async function linksOf(
    { workspace }: Caller,
    position: ListPosition,
  ): Promise<HomeContent['links']> {
    return fetchLinkPage(linkService, workspace, position).then(
      (page) => ({ ...page, position }),
      (error: unknown) => errorContent(error, position),
    )
  }

  function errorContent(err: unknown, position: ListPosition): HomeContent['links'] {
    logger.warn({ err }, 'the links of a Home tab could not be fetched')
    return { messages: explainError(err).map(fieldErrorText), position }
  }

  /** Without the scope users:read, no user is known to be an admin. The tab works without it. */
  async function isKnownAdmin(caller: Caller, userId: string): Promise<boolean> {
    return isAdmin(caller, userId).catch((err: unknown) => {
      logger.warn({ err }, 'Slack did not say whether a user is an admin')
      return false
    })
  }

  return {
    open: (caller, userId, isEmpty) =>
      draw(tabOf(caller, userId), userId, { caller, position: FIRST_PAGE, showAtOnce: isEmpty }),
    turnTo: (caller, userId, position) =>
      draw(tabOf(caller, userId), userId, { caller, position, showAtOnce: false }),
    async refresh(caller) {
      const { userId } = caller
      const tab = userId && tabs.get(keyOf(caller, userId))
      if (!tab) return
      await draw(tab, userId, { caller, position: tab.position, showAtOnce: false }).catch(
        (err: unknown) => logger.error({ err }, 'a Home tab could not be redrawn'),
      )
    },
  }
}
