import type { BlockElementAction } from '@slack/bolt'
import { linkList } from '../../blocks/link-list.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { decodeListPosition, type ListPosition } from '../../input/list-text.ts'
import { listPage } from '../../list-page.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'
import { replyTarget } from '../../reply-target.ts'

/** Previous, Next, and the choice of order: the list becomes the page that was asked for. */
export const turnPage =
  ({ homes, links, replies }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const position = positionOf(action)
    if (body.view) return homes.turnTo(caller, body.user.id, position)
    const page = await listPage(links, caller.workspace, position)
    await replies.replace(client, replyTarget(body), linkList(page))
  }

/** Where an element leads: a button carries it; another order begins at its first page. */
function positionOf(action: BlockElementAction): ListPosition {
  if (action.type !== 'static_select') return decodeListPosition(buttonValue(action) ?? '')
  // A client may take a choice back, whatever the types say.
  const chosen = action.selected_option as { value: string } | null
  return decodeListPosition(`${chosen?.value ?? ''}:1`)
}
