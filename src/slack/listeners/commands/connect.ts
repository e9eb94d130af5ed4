import { connectModal } from '../../blocks/connect-modal.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { isAdmin } from '../../is-admin.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten connect`, for admins. Asking Slack who is one takes longer than a trigger may wait. */
export const connectCommand =
  ({ connector, views }: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const { token, workspace } = callerOf(context, client, command)
    const title = 'Connect Backhalf'
    const viewId = await views.open(token, command.trigger_id, noticeModal(title, 'One moment…'))
    const view = (await isAdmin(client, command.user_id))
      ? connectModal(await connector.current(workspace))
      : noticeModal(
          title,
          'Only admins and owners of this workspace can connect it. Ask one of them.',
        )
    await client.views.update({ view_id: viewId, view })
  }
