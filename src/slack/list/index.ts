import type { BlockElementAction } from '@slack/bolt'
import type { MessageContent } from '../block-kit/elements.ts'
import { ACTIONS, EVENTS } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import { decodeListPosition, fetchLinkPage, type ListPosition } from '../platform/link-pages.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import type { ReplyTarget } from '../platform/reply-target.ts'
import type { LinkRights } from '../link-menu/menu.ts'
import type { HomeTab } from './home-tab.ts'
import { listMessage, shortUrlsOf } from './list-blocks.ts'
import { parseListText } from './list-text.ts'

/** Lists that messages show. */
export interface ShownLists {
  /** Draws a list in a message again. @param position the encoded page */
  refresh(caller: Caller, target: ReplyTarget, position: string): Promise<void>
}

/** `/shorten list`, its buttons, and the Home tab. */
export function registerList(
  listeners: Listeners,
  { clock, linkService, permission, replies }: Platform,
  { homeTab, linkRights }: { homeTab: HomeTab; linkRights: LinkRights },
): ShownLists {
  async function fetchList(caller: Caller, position: ListPosition): Promise<MessageContent> {
    await permission.checkMaySee(caller)
    const page = await fetchLinkPage(linkService, caller.workspace, position)
    const rights = await linkRights.of(caller, shortUrlsOf(page))
    return listMessage({ ...page, position, rights, now: clock.now() })
  }

  async function turnPage({ action, caller, target, userId, value, view }: ActionRequest) {
    const position = positionOf(action, value)
    if (view) return homeTab.turnTo(caller, userId, position)
    await replies.replace(caller.client, target, await fetchList(caller, position))
  }

  listeners.command('list', async ({ caller, target, text }) =>
    replies.send(caller.client, target, await fetchList(caller, parseListText(text))),
  )
  listeners.action(ACTIONS.listPrevious, turnPage)
  listeners.action(ACTIONS.listNext, turnPage)
  listeners.action(ACTIONS.listSort, turnPage)
  listeners.action(ACTIONS.drawHomeAgain, turnPage)
  listeners.event(EVENTS.homeOpened, async (caller, { event }) => {
    if (event.tab === 'home') await homeTab.open(caller, event.user, event.view === undefined)
  })

  return {
    async refresh(caller, target, position) {
      const list = await fetchList(caller, decodeListPosition(position))
      await replies.replace(caller.client, target, list)
    },
  }
}

/** The page that an element leads to. Another sort order starts at its first page. */
function positionOf(action: BlockElementAction, value: string): ListPosition {
  if (action.type !== 'static_select') return decodeListPosition(value)
  // A client may clear the selection, despite what the types say.
  const selected = action.selected_option as { value: string } | null
  return decodeListPosition(`${selected?.value ?? ''}:1`)
}
