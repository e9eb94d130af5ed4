import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { openConnectForm } from '../../connect-form.ts'
import type { ActionArgs } from './action-args.ts'

/** “Connect”, in the Home tab of a workspace without a connection. */
export const openConnect =
  (deps: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { trigger_id: triggerId, user } = body
    await openConnectForm(deps, callerOf(context, client, body), { triggerId, userId: user.id })
  }
