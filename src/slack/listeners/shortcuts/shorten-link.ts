import type { AllMiddlewareArgs, GlobalShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'

/** The global shortcut opens the form, which asks where the result goes. */
export const shortenLink =
  ({ forms, views }: Deps) =>
  async ({
    ack,
    shortcut,
    client,
    context,
  }: SlackShortcutMiddlewareArgs<GlobalShortcut> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, shortcut)
    const view = await forms.draw(caller, emptyForm(replyTarget(shortcut)))
    await views.open(caller.token, shortcut.trigger_id, view)
  }
