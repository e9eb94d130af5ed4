import { ACTIONS, MESSAGE_SHORTCUT, VIEWS } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import { findRecord } from '../shorten/duplicate/find-duplicate.ts'
import { buildShortenForm, newForm } from '../shorten/form.ts'
import { openLinkForm } from '../shorten/open-form.ts'
import { buildChecklist, fitsInChecklist, submitChecklist } from './checklists.ts'
import { parseMessageLinks, type MessageLinks, type MessageWithLinks } from './parse-message.ts'

/** Registers *Shorten this link* in a message's menu. It opens a form for one link, or a checklist for several. */
export function registerMessageLinks(listeners: Listeners, platform: ShortenPlatform): void {
  listeners.messageShortcut(MESSAGE_SHORTCUT, ({ caller, target, triggerId, message }) =>
    openLinkForm(platform, caller, triggerId, async () => {
      const found = await findLinks(platform, caller, message)
      if (found.links.filter(fitsInChecklist).length > 1) {
        return buildChecklist(platform, caller, found, target)
      }
      const [url] = found.links
      const form = newForm(target, url === undefined ? {} : { destination_url: url })
      const notice = noticeAbout(found)
      return buildShortenForm(platform, caller, form, notice ? [{ message: notice }] : [])
    }),
  )
  // A click on a checkbox is only acknowledged, because the submitted form contains all checkboxes.
  listeners.action(ACTIONS.tickLink, () => Promise.resolve())
  listeners.formSubmission(VIEWS.checklist, (submission) => submitChecklist(platform, submission))
}

/**
 * Finds the links in a message, without those that are already short. These are on one of the workspace's domains. If
 * the app's configuration only has the domain's ID, its hostname is unknown, and short links are looked up in the
 * record.
 */
async function findLinks(platform: ShortenPlatform, caller: Caller, message: MessageWithLinks) {
  const { source, domains } = await platform.linkService.connection(caller.workspace)
  const found = parseMessageLinks(message, domains)
  if (source !== 'configured') return found
  const records = await Promise.all(found.links.map((url) => findRecord(platform, caller, url)))
  const links = found.links.filter((_, index) => !records[index])
  const short = found.leftOut.short + found.links.length - links.length
  return { links, leftOut: { ...found.leftOut, short } }
}

/** @returns undefined if the message has exactly one link, which the form shows */
function noticeAbout({ links, leftOut }: MessageLinks): string | undefined {
  const { short, slack, tooLong } = leftOut
  if (links.length === 1) return undefined
  if (links.length > 1) {
    return `That message has ${links.length} links, which are too long to be listed together. This is the first; shorten the others one by one.`
  }
  if (tooLong > 0) return 'The link in that message is longer than this form can hold.'
  if (short > 0) return 'The links in that message are already short. You can enter another here.'
  if (slack > 0) return 'That message only links to something in Slack, which needs no short link.'
  return 'That message has no links. You can enter one here.'
}
