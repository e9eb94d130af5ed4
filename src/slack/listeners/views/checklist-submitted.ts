import { count } from '../../blocks/count.ts'
import { cut } from '../../blocks/limits.ts'
import { linksCreated, type BatchedLink } from '../../blocks/links-created.ts'
import { readable } from '../../blocks/mrkdwn.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { problem } from '../../blocks/problem.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { faultText, SlackInputError } from '../../input/slack-input-error.ts'
import { privately } from '../../reply-target.ts'
import { answerSubmission } from '../../submission.ts'
import { inputBlocks, type ViewArgs } from './view-args.ts'

/** How much of a link is shown beside the reason why it could not be shortened. */
const SHOWN_LINK = 80

/** The checklist was submitted: the links are made, and one answer lists them all. */
export const checklistSubmitted =
  ({ checklists, batches, homes, replies, logger }: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { ack, body, view, client, context } = args
    const caller = callerOf(context, client, body)
    const checklist = checklists.read(caller, view)
    const { domain, withQr: qr_code_enabled, reply } = checklist
    const drafts = checklist.links
      .filter(({ ticked }) => ticked)
      .map(({ url }) => ({ destination_url: url, qr_code_enabled, ...(domain && { domain }) }))
    const outcome = await answerSubmission({
      ack,
      client,
      viewId: view.id,
      blocks: inputBlocks(args),
      work: async () => someOf(await batches.shorten(caller, drafts, view.id)),
      explain,
      waiting: noticeModal(
        'Shorten links',
        `Creating ${count(drafts.length, 'short link')}… That may take a moment. The answer comes as a reply to the message, so you can close this.`,
      ),
      redraw: (messages) => checklists.draw(caller, checklist, messages),
      done: () => noticeModal('Shorten links', 'Done: see the reply to the message.'),
      closesWhenDone: true,
      logger,
    })
    if (outcome.ok) {
      await Promise.all([
        replies.send(client, reply, linksCreated(outcome.value, body.user.id)),
        homes.refresh(caller, body.user.id),
      ])
    } else if (!outcome.shown) {
      const messages = explain(outcome.error).map(faultText)
      const typed = drafts.map(({ destination_url }) => destination_url).join('\n')
      await replies.send(client, privately(reply), problem(messages, { typed }))
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
