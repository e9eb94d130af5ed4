import type { AllMiddlewareArgs, MessageShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { fitsChecklist } from '../../blocks/checklist-modal.ts'
import { callerOf, type Caller } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseMessageLinks, type MessageLinks } from '../../message-links/parse-message.ts'
import { openLinkForm } from '../../open-link-form.ts'
import { replyTarget } from '../../reply-target.ts'
import { emptyForm } from '../../shorten-forms.ts'

/**
 * The message shortcut: of one link it opens the form with that link filled in, of several a
 * checklist. The answer is in the message's thread.
 */
export const shortenMessageLinks =
  (deps: Deps) =>
  async ({
    ack,
    shortcut,
    client,
    context,
  }: SlackShortcutMiddlewareArgs<MessageShortcut> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const caller = callerOf(context, client, shortcut)
    const reply = replyTarget(shortcut)
    await openLinkForm(deps, caller, shortcut.trigger_id, async () => {
      const found = await linksOf(deps, caller, shortcut.message)
      return found.links.filter(fitsChecklist).length > 1
        ? deps.checklists.draw(caller, await deps.checklists.begin(caller, found, reply))
        : deps.forms.draw(caller, emptyForm(reply, found.links[0]), noticeOn(found))
    })
  }

/** The deployment's own configuration names no hostname: then short links are those made in Slack. */
async function linksOf(
  { links, linkRecord }: Deps,
  caller: Caller,
  message: MessageShortcut['message'],
): Promise<MessageLinks> {
  const { source, domains } = await links.connection(caller.workspace)
  const found = parseMessageLinks(message, domains)
  if (source !== 'configured') return found
  const areShort = await Promise.all(found.links.map((url) => linkRecord.knows(caller, url)))
  const long = found.links.filter((_, at) => !areShort[at])
  const short = found.leftOut.short + found.links.length - long.length
  return { links: long, leftOut: { ...found.leftOut, short } }
}

/** Why the form is empty, where it is. */
function noticeOn({ links, leftOut: { short, slack, tooLong } }: MessageLinks) {
  if (links.length === 1) return undefined
  if (links.length > 1) {
    return [
      `That message has ${links.length} links, too long to be listed together. This is the first; shorten the others one by one.`,
    ]
  }
  if (tooLong > 0) return ['The link in that message is longer than a form takes.']
  if (short > 0) return ['The links in that message are short already. You can type another here.']
  if (slack > 0) {
    return ['That message links only to something in Slack, which needs no short link.']
  }
  return ['I found no link in that message. You can type one here.']
}
