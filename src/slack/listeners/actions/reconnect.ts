import { connectModal } from '../../blocks/connect-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import type { ActionArgs } from './action-args.ts'

/** “Reconnect”, in the settings: lays the connect form on them. */
export const reconnect =
  ({ connector, views }: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { token, workspace } = callerOf(context, client, body)
    const view = connectModal(await connector.current(workspace))
    await views.push(token, body.trigger_id, view)
  }
