import type { ModalView } from '@slack/types'
import { connectModal } from '../../blocks/connect-modal.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { faultText } from '../../input/slack-input-error.ts'
import { isAdmin } from '../../is-admin.ts'
import type { CommandArgs } from './command-args.ts'

const TITLE = 'Connect Backhalf'

/** `/shorten connect`, for admins. Asking Slack who is one takes longer than a trigger may wait. */
export const connectCommand =
  ({ connector, views, logger }: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const { token, workspace } = callerOf(context, client, command)
    const viewId = await views.open(token, command.trigger_id, noticeModal(TITLE, 'One moment…'))
    const draw = async (): Promise<ModalView> =>
      (await isAdmin(client, command.user_id))
        ? connectModal(await connector.current(workspace))
        : noticeModal(TITLE, 'Only admins and owners of this workspace can connect it. Ask one.')
    const view = await draw().catch((err: unknown) => {
      logger.error({ err }, 'the connect form could not be drawn')
      return noticeModal(TITLE, explain(err).map(faultText).join('\n'))
    })
    await client.views.update({ view_id: viewId, view })
  }
