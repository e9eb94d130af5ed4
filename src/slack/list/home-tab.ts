import { type Connection, NotConnectedError } from '../../workspaces/connection.ts'
import type { HomeTabs } from '../../workspaces/home-tabs.ts'
import {
  decodeListPosition,
  encodeListPosition,
  FIRST_PAGE,
  type ListPosition,
} from '../block-kit/list-position.ts'
import type { HomeTabUpdates, Links } from '../links/links.ts'
import { isAdmin, type Caller } from '../platform/caller.ts'
import { explainError } from '../platform/error-messages.ts'
import { fieldErrorText } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { tryAgain } from '../platform/slack-client.ts'
import { homeView, type HomeContent, type HomeError, type HomeService } from './home-view.ts'
import { shortUrlsOf } from './list-blocks.ts'

/** If Slack did not accept a tab, how long to wait before publishing it again, in milliseconds. */
const PUBLISH_PAUSES_MS = [1_000]

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

/** A tab that this process draws. */
interface Drawing {
  /** Who requested it last. */
  caller: Caller
  /** Whether to show something before the link service has answered. */
  showAtOnce: boolean
  /** Whether another drawing was requested since the last check. */
  again: boolean
  /** Aborts when the user asks for something else than is being fetched. */
  abandoned: AbortController
  done: Promise<void>
}

export function createHomeTab(
  {
    changePermission,
    clock,
    linkLists,
    linkService,
    logger,
    permission,
  }: Platform & Omit<Links, 'homeTab'>,
  { serviceUrl, homeTabs }: { serviceUrl: string; homeTabs: HomeTabs },
): HomeTab {
  const drawings = new Map<string, Drawing>()
  const host = new URL(serviceUrl).host

  const keyOf = ({ workspace }: Caller, userId: string): string => `${workspace.id} ${userId}`

  /** Draws what was requested. A drawing in progress takes care of it, so that a tab is drawn once at a time. */
  function draw(
    caller: Caller,
    userId: string,
    { showAtOnce, abandons }: { showAtOnce: boolean; abandons: boolean },
  ): Promise<void> {
    const key = keyOf(caller, userId)
    const running = drawings.get(key)
    if (running) {
      running.caller = caller
      running.showAtOnce ||= showAtOnce
      running.again = true
      if (abandons) running.abandoned.abort()
      return running.done
    }
    const drawing: Drawing = {
      caller,
      showAtOnce,
      again: true,
      abandoned: new AbortController(),
      done: Promise.resolve(),
    }
    drawings.set(key, drawing)
    drawing.done = drawUntilCurrent(drawing, userId, () => drawings.delete(key))
    return drawing.done
  }

  /**
   * Draws until the tab shows what any process requested last. If two processes draw at the same time, the
   * one that finishes last notices the newer request and draws again.
   */
  async function drawUntilCurrent(
    drawing: Drawing,
    userId: string,
    end: () => void,
  ): Promise<void> {
    const latest = (): ReturnType<HomeTabs['latest']> =>
      homeTabs.latest(drawing.caller.workspace.id, userId)
    try {
      let drawn: number | undefined
      while (drawing.again) {
        drawing.again = false
        drawing.abandoned = new AbortController()
        const { signal } = drawing.abandoned
        const requested = await latest()
        if (!requested || requested.drawing === drawn) continue
        const { caller, showAtOnce } = drawing
        drawing.showAtOnce = false
        const position = decodeListPosition(requested.page)
        const isOutdated = async (): Promise<boolean> =>
          (await latest())?.drawing !== requested.drawing
        try {
          await drawOne(userId, { caller, position, showAtOnce, signal }, isOutdated)
          drawn = requested.drawing
        } catch (error) {
          if (!signal.aborted) throw error
        }
        drawing.again = true
      }
    } finally {
      end() // At once, so that a later request starts a drawing of its own.
    }
  }

  async function drawOne(
    userId: string,
    {
      caller,
      position,
      showAtOnce,
      signal,
    }: Pick<Drawing, 'caller' | 'showAtOnce'> & { position: ListPosition; signal: AbortSignal },
    isOutdated: () => Promise<boolean>,
  ): Promise<void> {
    const publish = (content: HomeContent): Promise<void> => {
      const view = homeView(content)
      return tryAgain(clock, PUBLISH_PAUSES_MS, async () => {
        // A later drawing shows everything that this one would.
        if (!(await isOutdated())) await caller.client.views.publish({ user_id: userId, view })
      })
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
      known.service ? linksOf({ ...caller, userId }, position, signal) : known.links,
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
    caller: Caller,
    position: ListPosition,
    signal: AbortSignal,
  ): Promise<HomeContent['links']> {
    try {
      const page = await linkLists.fetch(caller, position, { signal })
      return {
        ...page,
        rights: await changePermission.of(caller, shortUrlsOf(page)),
        now: clock.now(),
      }
    } catch (error) {
      signal.throwIfAborted()
      return errorContent(error, position)
    }
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

  /** Shows a page that the user asked for. */
  async function show(
    caller: Caller,
    userId: string,
    position: ListPosition,
    showAtOnce: boolean,
  ): Promise<void> {
    await homeTabs.request(caller.workspace.id, userId, encodeListPosition(position))
    await draw(caller, userId, { showAtOnce, abandons: true })
  }

  return {
    open: (caller, userId, isEmpty) => show(caller, userId, FIRST_PAGE, isEmpty),
    turnTo: (caller, userId, position) => show(caller, userId, position, false),
    async refresh(caller) {
      const { userId, workspace } = caller
      if (!userId) return
      try {
        const isOpened = await homeTabs.requestAgain(workspace.id, userId)
        if (isOpened) await draw(caller, userId, { showAtOnce: false, abandons: false })
      } catch (err) {
        logger.error({ err }, 'a Home tab could not be redrawn')
      }
    },
  }
}
