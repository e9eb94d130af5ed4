import type { AllMiddlewareArgs, MessageShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { LIMITS } from '../../blocks/limits.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseMessageLinks } from '../../input/message-links.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'

/** The message shortcut opens the form with the message's first link; the answer is in its thread. */
export const shortenMessageLinks =
  ({ forms, views }: Deps) =>
  async ({
    ack,
    shortcut,
    client,
    context,
  }: SlackShortcutMiddlewareArgs<MessageShortcut> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, shortcut)
    const [link] = parseMessageLinks(shortcut.message)
    const notice = noticeOn(link)
    const view = await forms.draw(caller, emptyForm(replyTarget(shortcut), link), notice)
    await views.open(caller.token, shortcut.trigger_id, view)
  }

/** Why the form is empty, where it is. */
function noticeOn(link: string | undefined): string[] | undefined {
  if (link === undefined) return ['I found no link in that message. You can type one here.']
  if (link.length <= LIMITS.inputText) return undefined
  return ['The link in that message is longer than a form takes.']
}
