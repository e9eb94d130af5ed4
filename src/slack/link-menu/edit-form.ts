import type { ModalView } from '@slack/types'
import type { UpdateRequest } from '../../contract/link-requests.ts'
import { failureOf, LinkServiceError } from '../../port/failures.ts'
import { findDifferences, type LinkDetails, type ReadLink } from '../../port/links.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/elements.ts'
import { escape } from '../block-kit/mrkdwn.ts'
import type { Notice } from '../block-kit/notices.ts'
import { linkState } from '../block-kit/shown-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { explainConflict } from '../platform/error-messages.ts'
import { cutValue, differenceText, errorAt, SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { collectIssues } from '../shorten/create-request.ts'
import { type Draft, draftText } from '../shorten/draft.ts'
import {
  applyNamingRules,
  buildShortenForm,
  readShortenForm,
  type ShortenForm,
} from '../shorten/form.ts'
import type { EditedLink } from '../shorten/form-view.ts'
import {
  checkEdit,
  changedFields,
  findLinkDomain,
  fingerprint,
  shownValue,
  toDraft,
} from './edit-draft.ts'
import { followChange, shownUrl, TOO_LONG, type MenuOrigin } from './link-changes.ts'

export async function buildEditForm(
  platform: ShortenPlatform,
  caller: Caller,
  read: ReadLink,
  { position, ...reply }: MenuOrigin,
): Promise<ModalView> {
  const { linkService, permissions } = platform
  const { link } = read
  const { name, shortlink_url: shortUrl } = link
  await permissions.checkMayChange(caller, { name, shortUrl })
  const { domains: ownDomains } = await linkService.connection(caller.workspace)
  const linkDomain = findLinkDomain(link, ownDomains)
  const isOwn = linkDomain === undefined || ownDomains.includes(linkDomain)
  const domains = isOwn ? ownDomains : [...ownDomains, linkDomain]
  const { editable } = await linkService.capabilities(caller.workspace)
  const draft = toDraft(link, domains, editable)
  const edit: EditedLink = {
    ...revision(platform, read),
    name,
    domain: isOwn ? undefined : linkDomain,
    position,
    base: fingerprint(draft, domains),
  }
  const state = { reply, showUtm: false, showPreview: false, edit }
  const view = await buildShortenForm(platform, caller, { draft, state })
  // A destination that doesn't fit into its input would leave it empty, and the user would have to type another one.
  const isTooLong = link.destination_url.length > LIMITS.inputText
  if (isTooLong || (view.private_metadata ?? '').length > LIMITS.metadata) {
    throw new SlackInputError(TOO_LONG)
  }
  return view
}

const revision = ({ clock }: ShortenPlatform, { link, etag }: ReadLink) => ({
  shortUrl: link.shortlink_url,
  etag,
  hasImage: link.preview_image !== undefined,
  state: linkState(link, clock.now()),
})

interface Editing {
  caller: Caller
  /** The form to show after an error. Naming rules, or a newer revision of the link, might have changed it. */
  form: ShortenForm
  edit: EditedLink
}

export async function saveEdit(platform: ShortenPlatform, submission: FormSubmission) {
  const { caller, view } = submission
  const form = readShortenForm(platform, caller, view)
  const { draft, state } = form
  if (!state.edit) throw new Error('the form changes no link')
  const editing: Editing = { caller, form, edit: state.edit }
  await answerForm(platform, submission, {
    work: () => save(platform, editing, createOperation(platform)),
    waiting: 'Saving the link…',
    rebuild: (issues) => buildShortenForm(platform, caller, editing.form, issues),
    done: (notice) => notice?.text ?? 'You changed nothing, so nothing was saved.',
    closesWhenDone: (notice) => notice !== undefined,
    target: state.reply,
    typed: draftText(draft),
  })
}

/** @returns the notice about what was saved; undefined if the user changed nothing */
async function save(platform: ShortenPlatform, editing: Editing, operation: Operation) {
  const { clock, linkService, permissions, settings } = platform
  const { caller, edit, form } = editing
  const { draft, state } = form
  const { workspace } = caller
  await permissions.checkMayChange(caller, edit)
  const { domains: ownDomains } = await linkService.connection(workspace)
  const domains = edit.domain ? [...ownDomains, edit.domain] : ownDomains
  const touched = touchedFields(draft, edit, domains)
  if (touched.length === 0) return undefined
  const { naming, destinations } = await settings.read(workspace.id)
  const named = await applyNamingRules(platform, caller, form, touched)
  editing.form = named.form
  const knownIssues = named.issues
  const { preview_image: file, remove_image: isRemoved } = draft
  const fetched =
    file && (await collectIssues(knownIssues, platform.fetchPreviewImage(caller, file)))
  const removed = isRemoved && !file ? ('' as const) : undefined // An empty image removes the current one.
  const image = fetched ?? removed
  const capabilities = await linkService.knownCapabilities(workspace)
  const rules = { domains, naming, destinations, capabilities, knownIssues, now: clock.now() }
  const keepsImage = edit.hasImage && isRemoved !== true
  const edited = checkEdit(draft, touched, rules, keepsImage)
  const request = { ...edited.changes, ...(image !== undefined && { preview_image: image }) }
  const { name, etag, shortUrl } = edit
  const read = await linkService
    .update(caller, name, request, { operation, etag })
    .catch(async (error: unknown) => {
      if (failureOf(error, 'changed')) throw await staleEdit(platform, editing, domains, operation)
      throw explainTaken(error, request)
    })
  const keepsAddresses = capabilities?.keepsAddresses ?? true
  const notice = editedNotice(read.link, edited.labels, shortUrl, keepsAddresses)
  const { destination_url = read.link.destination_url, domain = '', ...rest } = request
  const wanted = { ...rest, destination_url, domain, preview_image: undefined }
  const changedByService = findDifferences(wanted, read.link).map(differenceText)
  notice.text = [notice.text, ...changedByService].join(' ')
  const origin = { ...state.reply, position: edit.position }
  followChange(platform, caller, { name, shortUrl }, read.link, { origin, notice })
  return notice
}

export function editedNotice(
  { name, shortlink_url: shortUrl }: Pick<LinkDetails, 'name' | 'shortlink_url'>,
  changedLabels: readonly string[],
  earlierUrl: string,
  keepsAddresses: boolean,
): Notice {
  const saved = `*Saved.* You changed: ${escape(changedLabels.join(', '))}.`
  if (shortUrl === earlierUrl) return { text: saved, name }
  const result = keepsAddresses ? 'still leads there' : 'no longer works'
  return { text: `${saved} The earlier short link ${shownUrl(earlierUrl)} ${result}.`, name }
}

function touchedFields(draft: Draft, edit: EditedLink, domains: readonly DomainRecord[]) {
  const isImageTouched = draft.preview_image ?? (edit.hasImage && draft.remove_image)
  return [
    ...changedFields(edit.base, fingerprint(draft, domains)).filter(
      // Without a menu of domains, the form can't change the link's domain.
      (field) => field !== 'domain' || draft.domain !== undefined,
    ),
    ...(isImageTouched ? ['preview_image' as const] : []),
  ]
}

/**
 * Builds the error for a link that has changed since its form was opened: another user has changed it, or the response
 * to an earlier *Save* got lost. The error says what has changed. The form then belongs to the newer revision of the
 * link, so that the user can save again.
 */
async function staleEdit(
  platform: ShortenPlatform,
  editing: Editing,
  domains: readonly DomainRecord[],
  operation: Operation,
): Promise<SlackInputError> {
  const { caller, edit, form } = editing
  const read = await platform.linkService.get(caller.workspace, edit.name, { operation })
  const { editable } = await platform.linkService.capabilities(caller.workspace)
  const current = toDraft(read.link, domains, editable)
  const changed = changedFields(edit.base, fingerprint(current, domains))
  const newer = { ...edit, ...revision(platform, read) }
  editing.form = { draft: form.draft, state: { ...form.state, edit: newer } }
  const facts = changed.map(
    (field) => `${FIELD_LABELS[field]} is now ${cutValue(shownValue(current, field))}.`,
  )
  const isOff = newer.state === 'off'
  if (isOff !== (edit.state === 'off')) facts.push(`It is now turned ${isOff ? 'off' : 'on'}.`)
  const texts = [
    'This link has changed since you opened it, so nothing was saved this time.',
    ...(facts.length > 0 ? facts : ['Backhalf can’t tell what changed.']),
    'Press Save again to save what you changed. Everything else stays as it is now.',
  ]
  return new SlackInputError(texts.join(' '))
}

/** @returns an error that says at its field what another link already has; otherwise, the error unchanged */
function explainTaken(error: unknown, request: UpdateRequest): unknown {
  if (!(error instanceof LinkServiceError)) return error
  const failure = failureOf(error, 'duplicate', 'back_half_taken', 'conflict')
  const changesShortUrl = request.back_half !== undefined || request.domain !== undefined
  if (!failure || (!changesShortUrl && request.destination_url === undefined)) return error
  if (failure.kind !== 'duplicate') {
    return new SlackInputError([explainConflict(error, failure)], { cause: error })
  }
  const existing = failure.link?.shortlink_url
  const orUseIt = existing ? `, or use the existing link: ${existing}` : '.'
  const message = `This destination already has another short link on this domain. Choose another destination${orUseIt}`
  return errorAt('destination_url', message, { cause: error })
}
