import type { AllMiddlewareArgs, MessageShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseMessageLinks, type MessageLinks } from '../../input/message-links.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'

/**
 * The message shortcut: of one link it opens the form with that link filled in, of several a
 * checklist. The answer is in the message's thread.
 */
export const shortenMessageLinks =
  ({ links, forms, checklists, views }: Deps) =>
  async ({
    ack,
    shortcut,
    client,
    context,
  }: SlackShortcutMiddlewareArgs<MessageShortcut> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, shortcut)
    const reply = replyTarget(shortcut)
    const { domains } = await links.connection(caller.workspace)
    const found = parseMessageLinks(shortcut.message, domains)
    const [link] = found.links
    const view =
      found.links.length > 1
        ? await checklists.draw(caller, await checklists.begin(caller, found, reply))
        : await forms.draw(caller, emptyForm(reply, link), noticeOn(found))
    await views.open(caller.token, shortcut.trigger_id, view)
  }

/** Why the form is empty, where it is. */
function noticeOn({ links, leftOut: { short, slack, tooLong } }: MessageLinks) {
  if (links.length > 0) return undefined
  if (tooLong > 0) return ['The link in that message is longer than a form takes.']
  if (short > 0) return ['The links in that message are short already. You can type another here.']
  if (slack > 0) {
    return ['That message links only to something in Slack, which needs no short link.']
  }
  return ['I found no link in that message. You can type one here.']
}
