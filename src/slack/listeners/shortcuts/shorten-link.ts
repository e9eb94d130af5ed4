import type { AllMiddlewareArgs, GlobalShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { openLinkForm } from '../../open-link-form.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'

/** The global shortcut opens the form, which asks where the result goes. */
export const shortenLink =
  (deps: Deps) =>
  async ({
    ack,
    shortcut,
    client,
    context,
  }: SlackShortcutMiddlewareArgs<GlobalShortcut> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, shortcut)
    await openLinkForm(deps, caller, shortcut.trigger_id, () =>
      deps.forms.draw(caller, emptyForm(replyTarget(shortcut))),
    )
  }
