import { decodeListPosition, FIRST_PAGE, SEARCH_LENGTH } from '../block-kit/list-position.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND, EVENTS, VIEWS } from '../ids.ts'
import type { Listeners } from '../platform/listeners.ts'
import { withMention } from '../platform/slack-users.ts'
import { chosenPosition } from './list-blocks.ts'
import { parseListText } from './list-text.ts'
import { openSearch, submitSearch } from './search-form.ts'
import { fetchListMessage, showList, type ListPlatform } from './show-list.ts'

export function registerList(listeners: Listeners, platform: ListPlatform): void {
  const { homeTab, replies } = platform
  listeners.command(
    'list',
    async ({ caller, target, text }) => {
      const position = parseListText(await withMention(caller, text))
      const message = await fetchListMessage(platform, caller, position)
      await replies.send(caller.client, target, message)
    },
    // Of a text that is too long to be searched for, a part is enough.
    (text) => ({ typed: cut(`${COMMAND} ${text}`, SEARCH_LENGTH.max) }),
  )
  const { listPrevious, listNext, listShowAll, drawHomeAgain } = ACTIONS
  for (const button of [listPrevious, listNext, listShowAll, drawHomeAgain]) {
    listeners.action(button, (request) =>
      showList(platform, request, decodeListPosition(request.value)),
    )
  }
  for (const menu of [ACTIONS.listSort, ACTIONS.listFilter]) {
    listeners.action(menu, (request) => {
      const { action, value } = request
      return showList(platform, request, chosenPosition(menu, action.block_id, value))
    })
  }
  listeners.action(ACTIONS.listSearch, (request) => openSearch(platform, request))
  listeners.formSubmission(VIEWS.search, (submission) => submitSearch(platform, submission))
  listeners.event(EVENTS.homeOpened, async (caller, { event }) => {
    if (event.tab !== 'home') return
    await homeTab.turnTo(caller, event.user, FIRST_PAGE, event.view === undefined)
  })
}
