import { noticeModal } from '../../blocks/notice-modal.ts'
import { problem } from '../../blocks/problem.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { faultText } from '../../input/slack-input-error.ts'
import { replyTarget } from '../../reply-target.ts'
import { requireAdmin } from '../../settings/admins-only.ts'
import type { SettingsFormId } from '../../settings/desk.ts'
import { redrawBelow } from '../../settings/redraw-below.ts'
import { answerSubmission } from '../../submission.ts'
import { inputBlocks, type ViewArgs } from './view-args.ts'

/** A form of the settings was submitted: it is kept, and what lies under it drawn again. */
export const settingsSubmitted =
  (deps: Deps, formId: SettingsFormId) =>
  async (args: ViewArgs): Promise<void> => {
    const { ack, body, view, client, context } = args
    const caller = callerOf(context, client, body)
    const form = deps.desk.forms[formId]
    const subject = { workspace: caller.workspace, key: view.private_metadata }
    const { values } = view.state
    const title = view.title.text
    const outcome = await answerSubmission({
      ack,
      client,
      viewId: view.id,
      blocks: inputBlocks(args),
      work: async () => {
        await requireAdmin(caller, body.user.id)
        return form.save(subject, values, body.user.id)
      },
      explain,
      waiting: noticeModal(title, 'Saving…'),
      redraw: (notice) => form.redraw(subject, values, notice),
      done: (told) => noticeModal(title, told ?? ':white_check_mark: Saved.'),
      closesWhenDone: (told) => told === undefined,
      logger: deps.logger,
    })
    if (outcome.ok) {
      await redrawBelow(deps, caller, view)
      await deps.homes.refresh(caller, body.user.id)
    } else if (!outcome.shown) {
      const messages = explain(outcome.error).map(faultText)
      const nothing = `Nothing of “${title}” was saved.`
      await deps.replies.send(client, replyTarget(body), problem([...messages, nothing]))
    }
  }
