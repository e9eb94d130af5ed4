import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseShortenText } from '../../input/shorten-text.ts'
import { openLinkForm } from '../../open-link-form.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Change something” in an answer to a command: the form, with what was typed there. */
export const changeCommand =
  (deps: Deps) =>
  async ({ ack, action, body, client, context }: ActionArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, body)
    const { state } = emptyForm(replyTarget(body))
    const draft = parseShortenText(buttonValue(action) ?? '')
    await openLinkForm(deps, caller, body.trigger_id, () =>
      deps.forms.draw(caller, { draft, state }),
    )
  }
