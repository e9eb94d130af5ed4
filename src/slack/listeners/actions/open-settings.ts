import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { openSettings as open } from '../../settings/open-settings.ts'
import type { ActionArgs } from './action-args.ts'

/** “Settings”, wherever that button stands. */
export const openSettings =
  (deps: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { trigger_id: triggerId, user } = body
    await open(deps, callerOf(context, client, body), { triggerId, userId: user.id })
  }
