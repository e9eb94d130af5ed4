import type { ModalView } from '@slack/types'
import { AlreadyShortenedError } from '../../already-shortened-error.ts'
import { linkMade, type CreatedLink } from '../../blocks/link-created.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import type { Duplicate } from '../../duplicate-views.ts'
import { draftInWords } from '../../input/draft.ts'
import { SlackInputError } from '../../input/slack-input-error.ts'
import { replyTarget } from '../../reply-target.ts'
import { answerForm } from './answer-form.ts'
import type { ViewArgs } from './view-args.ts'

type Made = { created: CreatedLink } | { duplicate: Duplicate; turned: ModalView }

/**
 * The shorten form was submitted: the link is made, the form closes, and the answer is sent. Where
 * the link is there already, the form turns into that one.
 */
export const shortenSubmitted =
  (deps: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { body, view, client, context } = args
    const { forms, shortener, duplicates, duplicateViews, homes } = deps
    const caller = callerOf(context, client, body)
    const form = forms.read(caller, view)
    const target = { ...form.state.reply, ...chosen(body) }
    const outcome = await answerForm(deps, args, {
      work: async () => {
        const { notice } = await forms.named(caller, form)
        if (notice !== undefined) throw new SlackInputError([{ message: notice }])
        return shortener.shorten(caller, form.draft, view.id).then(
          (created): Made => ({ created }),
          (error: unknown): Made => {
            if (!(error instanceof AlreadyShortenedError)) throw error
            const { existing, made } = error
            const viewKey = `${view.id}:${view.hash}`
            const duplicate = { existing, made, form, target, viewKey }
            const turned = duplicateViews.draw(caller, duplicate)
            // Too full to be kept in another view, the form stays, and says it at its field.
            if (!turned) throw error
            return { duplicate, turned }
          },
        )
      },
      waiting: noticeModal('Shorten a link', 'Creating your link…'),
      redraw: async (messages) =>
        forms.draw(caller, (await forms.named(caller, form)).form, messages),
      done: (made) => ('created' in made ? linkMade(made.created) : made.turned),
      closesWhenDone: (made) => 'created' in made,
      request: form.draft,
      target,
      typed: draftInWords(form.draft),
    })
    if (!outcome) return
    const made = outcome.value
    if ('created' in made) {
      await Promise.all([
        shortener.deliver(caller, target, made.created),
        homes.refresh(caller, body.user.id),
      ])
    } else if (outcome.shown) {
      await duplicates.addPicture(caller, made.duplicate)
    } else {
      await duplicates.tell(caller, made.duplicate)
    }
  }

/** The conversation that was chosen in the form, where it asks for one. */
function chosen(body: ViewArgs['body']): { responseUrl?: string } {
  const { responseUrl } = replyTarget(body)
  return responseUrl ? { responseUrl } : {}
}
