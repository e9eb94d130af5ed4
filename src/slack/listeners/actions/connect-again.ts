import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { requireAdmin } from '../../settings/admins-only.ts'
import { isOvertaken } from '../../slack-error-code.ts'
import type { ActionArgs } from './action-args.ts'

/** “Connect again”, where the workspace needs no key of its own for it. */
export const connectAgain =
  ({ desk, homes }: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const { workspace } = caller
    await requireAdmin(caller, body.user.id)
    await desk.connectAgain(workspace)
    if (body.view) {
      const view = await desk.overview(workspace)
      await client.views.update({ view_id: body.view.id, view }).catch((error: unknown) => {
        if (!isOvertaken(error)) throw error // Closed since: it is connected all the same.
      })
    }
    await homes.refresh(caller, body.user.id)
  }
