import type { BlockElementAction } from '@slack/bolt'
import type { MessageContent } from '../block-kit/elements.ts'
import { ACTIONS, EVENTS } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import { decodeListPosition, fetchLinkPage, type ListPosition } from '../platform/link-pages.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import type { HomeTab } from './home-tab.ts'
import { listMessage } from './list-blocks.ts'
import { parseListText } from './list-text.ts'

/** `/shorten list`, its buttons, and the Home tab. */
export function registerList(
  listeners: Listeners,
  { linkService, permission, replies }: Platform,
  { homeTab }: { homeTab: HomeTab },
): void {
  async function fetchList(caller: Caller, position: ListPosition): Promise<MessageContent> {
    await permission.checkMaySee(caller)
    const page = await fetchLinkPage(linkService, caller.workspace, position)
    return listMessage({ ...page, position })
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
}

/** The page that an element leads to. Another sort order starts at its first page. */
function positionOf(action: BlockElementAction, value: string): ListPosition {
  if (action.type !== 'static_select') return decodeListPosition(value)
  // A client may clear the selection, despite what the types say.
  const selected = action.selected_option as { value: string } | null
  return decodeListPosition(`${selected?.value ?? ''}:1`)
}
