import { noticeModal } from '../../blocks/notice-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { requireAdmin } from '../../settings/admins-only.ts'
import type { SettingsFormId } from '../../settings/desk.ts'
import { redrawBelow } from '../../settings/redraw-below.ts'
import { answerForm } from './answer-form.ts'
import type { ViewArgs } from './view-args.ts'

/** A form of the settings was submitted: it is kept, and what lies under it drawn again. */
export const settingsSubmitted =
  (deps: Deps, formId: SettingsFormId) =>
  async (args: ViewArgs): Promise<void> => {
    const { body, view, client, context } = args
    const caller = callerOf(context, client, body)
    const form = deps.desk.forms[formId]
    const subject = { workspace: caller.workspace, key: view.private_metadata }
    const { values } = view.state
    const title = view.title.text
    const saved = await answerForm(deps, args, {
      work: async () => {
        await requireAdmin(caller, body.user.id)
        return form.save(subject, values, body.user.id)
      },
      waiting: noticeModal(title, 'Saving…'),
      redraw: (notice) => form.redraw(subject, values, notice),
      done: (told) => noticeModal(title, told ?? ':white_check_mark: Saved.'),
      closesWhenDone: (told) => told === undefined,
      consequence: `Nothing of “${title}” was saved.`,
    })
    if (saved) {
      await redrawBelow(deps, caller, view)
      await deps.homes.refresh(caller, body.user.id)
    }
  }
