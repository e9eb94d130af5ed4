import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { openLinkForm } from '../../open-link-form.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'
import type { ActionArgs } from './action-args.ts'

/** “Shorten a link” in the Home tab. */
export const openForm =
  (deps: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const form = emptyForm({ userId: replyTarget(body).userId })
    await openLinkForm(deps, caller, body.trigger_id, () => deps.forms.draw(caller, form))
  }
