import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { openLinkForm } from '../../open-link-form.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten` alone opens the form. */
export const formCommand =
  (deps: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, command)
    await openLinkForm(deps, caller, command.trigger_id, () =>
      deps.forms.draw(caller, emptyForm(replyTarget(command))),
    )
  }
