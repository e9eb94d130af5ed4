import type { BlockElementAction } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { decodeListPosition, type ListPosition } from '../../input/list-text.ts'
import { listPage } from '../../list-page.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'
import { replyTarget } from '../../reply-target.ts'

/** Previous, Next, and the choice of order: the list's message becomes the page that was asked for. */
export const turnPage =
  ({ links, replies }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { workspace } = callerOf(context, client, body)
    const page = await listPage(links, workspace, positionOf(action))
    await replies.replace(client, replyTarget(body), page)
  }

/** Where an element leads: a button carries it; another order begins at its first page. */
function positionOf(action: BlockElementAction): ListPosition {
  return action.type === 'static_select'
    ? decodeListPosition(`${action.selected_option.value}:1`)
    : decodeListPosition(buttonValue(action) ?? '')
}
