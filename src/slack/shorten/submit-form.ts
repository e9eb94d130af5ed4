import { escape } from '../block-kit/mrkdwn.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { privateTarget } from '../platform/caller.ts'
import type { FieldError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { WaitingError, waitingMessage } from './approval/ask-approvers.ts'
import { deliverLink, linkCreatedModal } from './deliver-link.ts'
import { draftText } from './draft.ts'
import { duplicateIssue, existingLinkModal, sendExistingLink } from './duplicate/duplicates.ts'
import { DuplicateError, findLookalike, lookalikeText } from './duplicate/find-duplicate.ts'
import { applyNamingRules, buildShortenForm, readShortenForm } from './form.ts'
import { shortenLink } from './shorten-link.ts'

export async function submitShortenForm(platform: ShortenPlatform, submission: FormSubmission) {
  const { caller, view, target: payloadTarget } = submission
  let form = readShortenForm(platform, caller, view)
  const typed = draftText(form.draft)
  // A conversation that the user chose in the form comes with the submission.
  const { responseUrl, channelId } = payloadTarget
  const target = { ...form.state.reply, ...(responseUrl && { responseUrl, channelId }) }

  /** Warns once about a back-half that differs from another link's only in case. */
  async function warnOfLookalike(): Promise<FieldError[]> {
    const { draft, state } = form
    if (!draft.back_half || state.lookalike === draft.back_half) return []
    const other = await findLookalike(platform.linkService, caller.workspace, draft)
    if (other === undefined) return []
    form = { draft, state: { ...state, lookalike: draft.back_half } }
    const advice = 'Change the back-half, or press Create again to use it.'
    return [{ message: `${lookalikeText(other)} ${advice}` }]
  }

  const shorten = async (): Promise<ShownLink | DuplicateError | WaitingError> => {
    const named = await applyNamingRules(platform, caller, form)
    form = named.form
    const issues = [...named.issues, ...(await warnOfLookalike())]
    try {
      return await shortenLink(platform, caller, form.draft, view.id, { issues })
    } catch (error) {
      if (error instanceof WaitingError || error instanceof DuplicateError) return error
      throw error
    }
  }

  await answerForm(platform, submission, {
    work: shorten,
    waiting: 'Creating your link…',
    rebuild: (issues) => buildShortenForm(platform, caller, form, issues),
    push: (result) =>
      result instanceof DuplicateError
        ? existingLinkModal(platform, caller, result, target)
        : undefined,
    done: (result) => {
      if (result instanceof DuplicateError) {
        return buildShortenForm(platform, caller, form, [duplicateIssue(result)])
      }
      return result instanceof WaitingError
        ? noticeModal('Waiting for approval', escape(result.message))
        : linkCreatedModal(result)
    },
    closesWhenDone: (result) => !(result instanceof DuplicateError),
    passOn: async (result, isPushed) => {
      if (result instanceof DuplicateError) {
        if (isPushed) return
        return sendExistingLink(platform, caller, privateTarget(target), result, { typed })
      }
      if (result instanceof WaitingError) {
        const message = waitingMessage(result)
        return platform.replies.send(caller.client, privateTarget(target), message)
      }
      return Promise.all([
        deliverLink(platform, caller, target, result),
        platform.homeTab.refresh(caller),
      ])
    },
    target,
    typed,
  })
}
