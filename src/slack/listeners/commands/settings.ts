import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { openDisconnect, openSettings } from '../../settings/open-settings.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten settings`, for admins. */
export const settingsCommand =
  (deps: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const { trigger_id: triggerId, user_id: userId } = command
    await openSettings(deps, callerOf(context, client, command), { triggerId, userId })
  }

/** `/shorten disconnect`, for admins. */
export const disconnectCommand =
  (deps: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const { trigger_id: triggerId, user_id: userId } = command
    await openDisconnect(deps, callerOf(context, client, command), { triggerId, userId })
  }
