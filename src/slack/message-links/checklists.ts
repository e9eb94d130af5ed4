import type { Checkboxes, KnownBlock, ModalView, SectionBlock } from '@slack/types'
import { joinMessages, LinkServiceError } from '../../port/failures.ts'
import { createOperation } from '../../port/operation.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import { formatCount } from '../../web/numbers.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { Settings } from '../../workspaces/settings.ts'
import { context, LIMITS, option, present, section } from '../block-kit/elements.ts'
import { checkbox, formModal } from '../block-kit/inputs.ts'
import { link, readableUrl } from '../block-kit/mrkdwn.ts'
import { ACTIONS, CHECKLIST_BLOCK_PREFIX, VIEWS } from '../ids.ts'
import type { LinkPlatform, ShortenPlatform } from '../links/links.ts'
import { type Caller, replyTarget, type ReplyTarget } from '../platform/caller.ts'
import { errorTexts, isExpected } from '../platform/error-messages.ts'
import { fieldErrorText, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { formAgain, isChecked, selectedOption } from '../platform/form-values.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { defineSealedMetadata } from '../platform/sealed-metadata.ts'
import { WaitingError } from '../shorten/approval/ask-approvers.ts'
import type { Draft } from '../shorten/draft.ts'
import { DuplicateError } from '../shorten/duplicate/find-duplicate.ts'
import { chosenTemplate, domainInput, templateInput } from '../shorten/menus.ts'
import { shortenLink } from '../shorten/shorten-link.ts'
import { type BatchResult, linksCreatedMessage } from './links-created.ts'
import { type MessageLinks, urlsInMrkdwn } from './parse-message.ts'

const metadata = defineSealedMetadata('checklist', replyTarget)

/** The reply with the short links has no room for more, because Slack limits a message to about 12,000 characters. */
export const MAX_CHECKLIST_LINKS = 30

// With 30 links of this size, a view stays below Slack's limit of 250 KB.
const MAX_LINK_BYTES = 6_500

const MAX_SHOWN_LENGTH = 150

/** Builds the form in which the user ticks which links of a message to shorten. */
export async function buildChecklist(
  { keyring, linkService, settings }: LinkPlatform,
  { workspace }: Caller,
  found: MessageLinks,
  reply: ReplyTarget,
): Promise<ModalView> {
  const [{ domains }, current] = await Promise.all([
    linkService.connection(workspace),
    settings.read(workspace.id),
  ])
  return checklistModal(found, domains, current, metadata.seal(keyring, reply, workspace.id))
}

/** The URLs are stored only in the form's visible texts, because a view's metadata has no room for them. */
export function checklistModal(
  { links, leftOut }: MessageLinks,
  domains: readonly DomainRecord[],
  { qr, templates }: Pick<Settings, 'qr' | 'templates'>,
  metadata: string,
): ModalView {
  const fitting = links.filter(fitsInChecklist)
  const tooLong = leftOut.tooLong + links.length - fitting.length
  return formModal({
    metadata,
    callbackId: VIEWS.checklist,
    title: 'Shorten links',
    submit: 'Create links',
    blocks: [
      section('Which links in the message do you want to shorten?'),
      ...fitting.slice(0, MAX_CHECKLIST_LINKS).map(linkBlock),
      ...unlistedTexts({ ...leftOut, tooLong }, fitting.length - MAX_CHECKLIST_LINKS).map(context),
      ...templateInput(templates),
      ...domainInput(undefined, domains),
      checkbox('qr_code_enabled', 'Create a QR code for each', qr.enabled),
      context('The short links are posted as one reply to the message, where everyone sees it.'),
    ],
  })
}

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

export function readChecklist(
  { keyring }: LinkPlatform,
  { workspace }: Caller,
  view: FormSubmission['view'],
) {
  const { values } = view.state
  return {
    reply: metadata.open(keyring, view.private_metadata, workspace.id),
    urls: (view.blocks as KnownBlock[]).flatMap((block) => {
      if (block.type !== 'section' || !isTicked(view, block)) return []
      return urlsInMrkdwn(block.text?.text ?? '').slice(0, 1)
    }),
    template: selectedOption(values, 'template'),
    domain: selectedOption(values, 'domain'),
    withQr: isChecked(values, 'qr_code_enabled'),
  }
}

/** Builds a submitted checklist again, with what the user chose and with messages at its top. */
export function checklistAgain(view: FormSubmission['view'], messages: readonly string[]) {
  const form = formAgain(view, messages)
  const blocks = (form.blocks as KnownBlock[]).map((block) =>
    block.type === 'section' && block.accessory?.type === 'checkboxes'
      ? { ...block, accessory: tickBox(isTicked(view, block)) }
      : block,
  )
  return { ...form, blocks }
}

function isTicked({ state }: FormSubmission['view'], { block_id: id = '' }: SectionBlock): boolean {
  return (state.values[id]?.[ACTIONS.tickLink]?.selected_options ?? []).length > 0
}

export function fitsInChecklist(url: string): boolean {
  const text = linkText(url)
  return text.length <= LIMITS.sectionText && Buffer.byteLength(text) <= MAX_LINK_BYTES
}

function linkBlock(url: string, index: number): SectionBlock {
  return section(linkText(url), tickBox(true), `${CHECKLIST_BLOCK_PREFIX}${index}`)
}

function tickBox(isOn: boolean): Checkboxes {
  const options = [option('Shorten', 'on')]
  return {
    type: 'checkboxes',
    action_id: ACTIONS.tickLink,
    options,
    ...(isOn && { initial_options: options }),
  }
}

function linkText(url: string): string {
  return link(url, readableUrl(url, MAX_SHOWN_LENGTH))
}

function unlistedTexts(
  { short, slack, tooLong }: MessageLinks['leftOut'],
  withoutRoom: number,
): string[] {
  const reasons = present([
    short > 0 && `${formatCount(short, 'link')} already short`,
    slack > 0 && `${formatCount(slack, 'link')} to something in Slack`,
    tooLong > 0 && `${formatCount(tooLong, 'link')} too long to be listed`,
  ])
  return present([
    reasons.length > 0 && `Left out: ${reasons.join(', ')}.`,
    withoutRoom > 0 &&
      `There is no room here for ${formatCount(withoutRoom, 'more link')}. Shorten them one by one.`,
  ])
}

const MAX_LISTED_LENGTH = 80

/** @throws SlackInputError if there is no result, or if all have failed, so that the user can correct the form */
function requireLinks(results: BatchResult[]): BatchResult[] {
  if (results.length === 0) throw new SlackInputError('Select at least one link.')
  if (results.some(({ failure }) => failure === undefined)) return results
  const reasons = new Set(results.map(({ failure = '' }) => failure))
  const messages =
    reasons.size === 1
      ? [...reasons]
      : results.map(({ url, failure = '' }) => `${readableUrl(url, MAX_LISTED_LENGTH)}: ${failure}`)
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
