import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { isOvertaken } from '../../slack-error-code.ts'
import type { ActionArgs } from './action-args.ts'

/** “Change something”, where a form had turned into the link that is there already. */
export const changeDuplicate =
  ({ duplicateViews, forms }: Deps) =>
  async ({ ack, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    if (!body.view) return
    const caller = callerOf(context, client, body)
    const { form, viewKey } = duplicateViews.read(caller, body.view)
    // Under another name, so that a picture that comes late does not take the form's place.
    const view = { ...(await forms.draw(caller, form)), external_id: `${viewKey}:form` }
    await client.views.update({ view_id: body.view.id, view }).catch((error: unknown) => {
      if (!isOvertaken(error)) throw error
    })
  }
