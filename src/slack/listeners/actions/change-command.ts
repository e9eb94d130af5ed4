import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseShortenText } from '../../input/shorten-text.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Change something” in an answer to a command: the form, with what was typed there. */
export const changeCommand =
  ({ forms, views }: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const { state } = emptyForm(replyTarget(body))
    const draft = parseShortenText(buttonValue(action) ?? '')
    const view = await forms.draw(caller, { draft, state })
    await views.open(caller.token, body.trigger_id, view)
  }
