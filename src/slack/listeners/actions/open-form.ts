import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'
import type { ActionArgs } from './action-args.ts'

/** “Shorten a link” in the Home tab. */
export const openForm =
  ({ forms, views }: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const view = await forms.draw(caller, emptyForm({ userId: replyTarget(body).userId }))
    await views.open(caller.token, body.trigger_id, view)
  }
