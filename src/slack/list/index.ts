import {
  decodeListPosition,
  FIRST_PAGE,
  SEARCH_LENGTH,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND, EVENTS, VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import { withMention } from '../platform/commands.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import { chosenPosition } from './list-blocks.ts'
import { parseListText } from './list-text.ts'
import { openSearch, submitSearch } from './search-form.ts'
import { sendList } from './show-list.ts'

export function registerList(listeners: Listeners, platform: LinkPlatform): void {
  const { homeTab } = platform
  listeners.command(
    'list',
    async ({ caller, target, text }) => {
      const position = parseListText(await withMention(caller, text))
      await sendList(platform, caller, target, position)
    },
    // If the text is too long to search for, an error message repeats only its start.
    (text) => ({ typed: cut(`${COMMAND} ${text}`, SEARCH_LENGTH.max) }),
  )

  async function replaceList(request: ActionRequest, position: ListPosition): Promise<void> {
    const { caller, target, view } = request
    if (view) return homeTab.turnTo(caller, position)
    await sendList(platform, caller, { ...target, replacesOriginal: true }, position)
  }

  const { listPrevious, listNext, listShowAll, drawHomeAgain } = ACTIONS
  for (const button of [listPrevious, listNext, listShowAll, drawHomeAgain]) {
    listeners.action(button, (request) => replaceList(request, decodeListPosition(request.value)))
  }
  for (const menu of [ACTIONS.listSort, ACTIONS.listFilter]) {
    listeners.action(menu, (request) =>
      replaceList(request, chosenPosition(menu, request.action.block_id, request.value)),
    )
  }
  listeners.action(ACTIONS.listSearch, (request) => openSearch(platform, request))
  listeners.formSubmission(VIEWS.search, (submission) => submitSearch(platform, submission))
  listeners.event(EVENTS.homeOpened, async (caller, { event }) => {
    if (event.tab !== 'home') return
    await homeTab.turnTo(caller, FIRST_PAGE, event.view === undefined)
  })
}
