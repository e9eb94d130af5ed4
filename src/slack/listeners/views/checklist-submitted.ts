import { count } from '../../blocks/count.ts'
import { cut } from '../../blocks/limits.ts'
import { linksCreated, type BatchedLink } from '../../blocks/links-created.ts'
import { readable } from '../../blocks/mrkdwn.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { SlackInputError } from '../../input/slack-input-error.ts'
import { answerForm } from './answer-form.ts'
import type { ViewArgs } from './view-args.ts'

/** How much of a link is shown beside the reason why it could not be shortened. */
const SHOWN_LINK = 80

/** The checklist was submitted: the links are made, and one answer lists them all. */
export const checklistSubmitted =
  (deps: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { body, view, client, context } = args
    const { checklists, batches, homes, replies } = deps
    const caller = callerOf(context, client, body)
    const checklist = checklists.read(caller, view)
    const { domain, withQr: qr_code_enabled, reply } = checklist
    const drafts = checklist.links
      .filter(({ ticked }) => ticked)
      .map(({ url }) => ({ destination_url: url, qr_code_enabled, ...(domain && { domain }) }))
    const made = await answerForm(deps, args, {
      work: async () => someOf(await batches.shorten(caller, drafts, view.id)),
      waiting: noticeModal(
        'Shorten links',
        `Creating ${count(drafts.length, 'short link')}… That may take a moment. The answer comes as a reply to the message, so you can close this.`,
      ),
      redraw: (messages) => checklists.draw(caller, checklist, messages),
      done: () => noticeModal('Shorten links', 'Done: see the reply to the message.'),
      closesWhenDone: true,
      target: reply,
      typed: drafts.map(({ destination_url }) => destination_url).join('\n'),
    })
    if (made) {
      await Promise.all([
        replies.send(client, reply, linksCreated(made.value, body.user.id)),
        homes.refresh(caller, body.user.id),
      ])
    }
  }

/** @throws SlackInputError with every reason beside its link, where there is no link at all to show */
function someOf(all: BatchedLink[]): BatchedLink[] {
  if (all.length === 0) throw new SlackInputError([{ message: 'Tick at least one link.' }])
  if (all.some(({ failure }) => failure === undefined)) return all
  const reasons = new Set(all.map(({ failure = '' }) => failure))
  const messages =
    reasons.size === 1
      ? [...reasons]
      : all.map(({ url, failure = '' }) => `${cut(readable(url), SHOWN_LINK)}: ${failure}`)
  throw new SlackInputError(
    ['None of the links could be shortened.', ...messages].map((message) => ({ message })),
  )
}
