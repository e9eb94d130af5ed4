import type { BlockElementAction } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { ACTIONS } from '../../ids.ts'
import { decodeListPosition, type ListPosition } from '../../input/list-text.ts'
import { listPage } from '../../list-page.ts'
import type { ActionArgs } from './action-args.ts'
import { replyTarget } from '../../reply-target.ts'

/** Previous, Next, and the choice of order: the list's message becomes the page that was asked for. */
export const turnPage =
  ({ links, replies }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { workspace } = callerOf(context, client, body)
    const page = await listPage(links, workspace, nextPosition(action))
    await replies.replace(client, replyTarget(body), page)
  }

/** Where an element leads, from where it stands. */
function nextPosition(action: BlockElementAction): ListPosition {
  const here = decodeListPosition(action.block_id)
  if (action.action_id === ACTIONS.listNext) return { ...here, page: here.page + 1 }
  if (action.action_id === ACTIONS.listPrevious)
    return { ...here, page: Math.max(1, here.page - 1) }
  const sort = action.type === 'static_select' ? action.selected_option.value : ''
  return decodeListPosition(`${sort}:1`)
}
