import { linkMade } from '../../blocks/link-created.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { problem } from '../../blocks/problem.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { draftInWords } from '../../input/draft.ts'
import { faultText } from '../../input/slack-input-error.ts'
import { privately, replyTarget } from '../../reply-target.ts'
import { answerSubmission } from '../../submission.ts'
import { inputBlocks, type ViewArgs } from './view-args.ts'

/** The shorten form was submitted: the link is made, the form closes, and the answer is sent. */
export const shortenSubmitted =
  ({ forms, shortener, homes, replies, logger }: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { ack, body, view, client, context } = args
    const caller = callerOf(context, client, body)
    const form = forms.read(caller, view)
    const target = { ...form.state.reply, ...chosen(body) }
    const outcome = await answerSubmission({
      ack,
      client,
      viewId: view.id,
      blocks: inputBlocks(args),
      work: () => shortener.shorten(caller, form.draft, view.id),
      explain: (error) => explain(error, form.draft),
      waiting: noticeModal('Shorten a link', 'Creating your link…'),
      redraw: (messages) => forms.draw(caller, form, messages),
      done: (created) => linkMade(created),
      closesWhenDone: true,
      logger,
    })
    if (outcome.ok) {
      await Promise.all([
        shortener.deliver(caller, target, outcome.value),
        homes.refresh(caller, body.user.id),
      ])
    } else if (!outcome.shown) {
      const messages = explain(outcome.error, form.draft).map(faultText)
      await replies.send(client, privately(target), problem(messages, draftInWords(form.draft)))
    }
  }

/** The conversation that was chosen in the form, where it asks for one. */
function chosen(body: ViewArgs['body']): { responseUrl?: string } {
  const { responseUrl } = replyTarget(body)
  return responseUrl ? { responseUrl } : {}
}
