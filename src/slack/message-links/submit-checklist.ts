import { LinkServiceError, joinMessages } from '../../port/failures.ts'
import { createOperation } from '../../port/operation.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import { formatCount } from '../../web/numbers.ts'
import { readableUrl } from '../block-kit/mrkdwn.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts, isExpected } from '../platform/error-messages.ts'
import { fieldErrorText, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { WaitingError } from '../shorten/approval/ask-approvers.ts'
import type { Draft } from '../shorten/draft.ts'
import { DuplicateError } from '../shorten/duplicate/find-duplicate.ts'
import { chosenTemplate } from '../shorten/menus.ts'
import { shortenLink } from '../shorten/shorten-link.ts'
import { checklistAgain, readChecklist } from './checklists.ts'
import { linksCreatedMessage, type BatchResult } from './links-created.ts'

export async function submitChecklist(platform: ShortenPlatform, submission: FormSubmission) {
  const { homeTab, replies, settings } = platform
  const { caller, userId, view } = submission
  const { reply, urls, domain, template: key, withQr } = readChecklist(platform, caller, view)
  await answerForm(platform, submission, {
    work: async () => {
      const { templates } = await settings.read(caller.workspace.id)
      const template = chosenTemplate(key, templates)
      const drafts = urls.map((destination_url) => ({
        destination_url,
        qr_code_enabled: withQr,
        ...(template && { template: template.name }),
        ...(domain && { domain }),
      }))
      return requireLinks(await shortenBatch(platform, caller, drafts, view.id))
    },
    waiting: `Creating ${formatCount(urls.length, 'short link')}… This can take a moment. The result will be posted as a reply to the message, so you can close this.`,
    rebuild: async (issues) => checklistAgain(view, issues.map(fieldErrorText)),
    done: () => 'Done. The result is in a reply to the message.',
    closesWhenDone: true,
    passOn: (results) =>
      Promise.all([
        replies.send(caller.client, reply, linksCreatedMessage(results, userId)),
        homeTab.refresh(caller),
      ]),
    target: reply,
    typed: urls.join('\n'),
  })
}

const MAX_SHOWN_LENGTH = 80

/** @throws SlackInputError if there is no result, or if all have failed, so that the user can correct the form */
function requireLinks(results: BatchResult[]): BatchResult[] {
  if (results.length === 0) throw new SlackInputError('Select at least one link.')
  if (results.some(({ failure }) => failure === undefined)) return results
  const reasons = new Set(results.map(({ failure = '' }) => failure))
  const messages =
    reasons.size === 1
      ? [...reasons]
      : results.map(({ url, failure = '' }) => `${readableUrl(url, MAX_SHOWN_LENGTH)}: ${failure}`)
  const summary = results.some(({ uncertain }) => uncertain)
    ? 'The link service confirmed none of the links.'
    : 'None of the links could be shortened.'
  throw new SlackInputError([summary, ...messages].map((message) => ({ message })))
}

const CONCURRENCY = 4

/**
 * Creates a link for each draft. If one fails, the others are created anyway. All of them share one deadline.
 * @param slackId identifies the request, so that a repeated one creates no second links
 */
export async function shortenBatch(
  platform: ShortenPlatform,
  caller: Caller,
  drafts: readonly (Draft & { destination_url: string })[],
  slackId: string,
): Promise<BatchResult[]> {
  const operation = createOperation(platform)
  return inParallel(drafts, CONCURRENCY, async (draft, index) => {
    const { destination_url: url } = draft
    try {
      const id = `${slackId}:${index}`
      return { url, created: await shortenLink(platform, caller, draft, id, { operation }) }
    } catch (err) {
      if (err instanceof DuplicateError) return { url, duplicate: err.link }
      if (err instanceof WaitingError) return { url, waiting: err.message }
      if (!isExpected(err)) platform.logger.error({ err }, 'one of several links was not created')
      const isUncertain = err instanceof LinkServiceError && err.mayHaveHappened
      const failure = joinMessages(errorTexts(err))
      return { url, failure, ...(isUncertain && { uncertain: true }) }
    }
  })
}
