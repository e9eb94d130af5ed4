import type { ModalView } from '@slack/types'
import { noticeModal } from '../block-kit/notices.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { Links } from '../links/links.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { draftText } from './draft.ts'
import { DuplicateError } from './duplicate/duplicate-error.ts'
import type { DuplicateForm, Duplicates } from './duplicate/duplicates.ts'
import type { ShortenForms } from './form.ts'
import { linkCreatedModal } from './link-created.ts'
import type { Shortener } from './shortener.ts'

/** The outcome of a submitted form: a new link, or the existing link that the form now shows. */
type Result = { created: ShownLink } | { duplicate: DuplicateForm; modal: ModalView }

/**
 * Handles the submitted form: makes the link, closes the form and sends the answer. If the destination
 * already has a link, the form shows that link instead.
 */
export async function submitShortenForm(
  platform: Platform & Links,
  {
    forms,
    shortener,
    duplicates,
  }: { forms: ShortenForms; shortener: Shortener; duplicates: Duplicates },
  submission: FormSubmission,
): Promise<void> {
  const { caller, view, target: payloadTarget } = submission
  const form = forms.read(caller, view)
  // A conversation that the user chose in the form comes with the submission.
  const { responseUrl, channelId } = payloadTarget
  const target = { ...form.state.reply, ...(responseUrl && { responseUrl, channelId }) }

  const shorten = async (): Promise<Result> => {
    const { notice } = await forms.applyNaming(caller, form)
    if (notice !== undefined) throw new SlackInputError(notice)
    try {
      return { created: await shortener.shorten(caller, form.draft, view.id) }
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error
      const { link, madeBy, unusedBackHalf } = error
      const duplicate = {
        link,
        madeBy,
        unusedBackHalf,
        form,
        target,
        viewKey: `${view.id}:${view.hash}`,
      }
      const modal = duplicates.modal(caller, duplicate)
      // If the user typed more than another view can carry, the form shows the duplicate as an error.
      if (!modal) throw error
      return { duplicate, modal }
    }
  }

  const outcome = await answerForm(platform, submission, {
    work: shorten,
    waiting: noticeModal('Shorten a link', 'Creating your link…'),
    rebuild: async (messages) =>
      forms.build(caller, (await forms.applyNaming(caller, form)).form, messages),
    done: (result) => ('created' in result ? linkCreatedModal(result.created) : result.modal),
    closesWhenDone: (result) => 'created' in result,
    passOn: async (result) => {
      if (!('created' in result)) return
      await Promise.all([
        shortener.deliver(caller, target, result.created),
        platform.homeTab.refresh(caller),
      ])
    },
    request: form.draft,
    target,
    typed: draftText(form.draft),
  })
  if (!outcome || 'created' in outcome.value) return
  const { duplicate } = outcome.value
  if (outcome.shown) await duplicates.addPicture(caller, duplicate)
  else await duplicates.notify(caller, duplicate)
}
