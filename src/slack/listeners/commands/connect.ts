import { callerOf } from '../../caller.ts'
import { openConnectForm } from '../../connect-form.ts'
import type { Deps } from '../../deps.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten connect`, for admins. */
export const connectCommand =
  (deps: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const { trigger_id: triggerId, user_id: userId } = command
    await openConnectForm(deps, callerOf(context, client, command), { triggerId, userId })
  }
