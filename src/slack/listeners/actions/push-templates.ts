import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import type { ActionArgs } from './action-args.ts'

/** Lays the list of UTM templates on the settings. */
export const pushTemplates =
  ({ desk, views }: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const { token, workspace } = callerOf(context, client, body)
    await views.push(token, body.trigger_id, await desk.templates(workspace))
  }
