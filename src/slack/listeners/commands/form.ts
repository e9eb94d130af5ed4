import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'
import type { CommandArgs } from './command-args.ts'

/** `/shorten` alone opens the form. */
export const formCommand =
  ({ forms, views }: Deps) =>
  async ({ ack, command, client, context }: CommandArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, command)
    const view = await forms.draw(caller, emptyForm(replyTarget(command)))
    await views.open(caller.token, command.trigger_id, view)
  }
