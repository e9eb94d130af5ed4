import { findDifferences } from '../../port/differences.ts'
import { differenceText, errorAt } from '../platform/field-errors.ts'
import type { ReadLink } from '../../port/links.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { failureOf } from '../../port/failures.ts'
import type { LinkField } from '../../contract/link-fields.ts'
import type { UpdateRequest } from '../../contract/link-requests.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { noticeModal, type Notice } from '../block-kit/notices.ts'
import { linkState } from '../block-kit/shown-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { explainError } from '../platform/error-messages.ts'
import { MAX_SHOWN_VALUE, SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import type { Show } from '../platform/views.ts'
import { collectIssues } from '../shorten/create-request.ts'
import { draftText, type Draft, type DraftField } from '../shorten/draft.ts'
import type { EditedLink, ShortenForm, ShortenForms } from '../shorten/form.ts'
import type { PreviewImages } from '../shorten/preview-images.ts'
import { editedNotice, NOTHING_CHANGED } from './change-modals.ts'
import type { LinkChanges, MenuOrigin } from './link-changes.ts'
import {
  differences,
  findLinkDomain,
  toDraft,
  checkEdit,
  fingerprint,
  shownValue,
} from './edit-draft.ts'

interface LinkEditsOptions {
  forms: ShortenForms
  previewImages: PreviewImages
  changes: Pick<LinkChanges, 'follow'>
}

export function createLinkEdits(
  platform: LinkPlatform,
  { forms, previewImages, changes }: LinkEditsOptions,
) {
  const { clock, linkService, permissions, settings } = platform

  async function domainsFor({ workspace }: Caller, edit?: EditedLink): Promise<DomainRecord[]> {
    const { domains } = await linkService.connection(workspace)
    return [...domains, ...(edit?.domain ? [edit.domain] : [])]
  }

  async function offeredTo({ workspace }: Caller): Promise<readonly LinkField[]> {
    return (await linkService.capabilities(workspace)).editable
  }

  async function open(
    caller: Caller,
    { link, etag }: ReadLink,
    { position, ...reply }: MenuOrigin,
    show: Show,
  ): Promise<void> {
    const { name, shortlink_url: shortUrl } = link
    await permissions.checkMayChange(caller, { name, shortUrl })
    const known = await domainsFor(caller)
    const own = findLinkDomain(link, known)
    const domain = own && !known.includes(own) ? own : undefined
    const domains = [...known, ...(domain ? [domain] : [])]
    const draft = toDraft(link, domains, await offeredTo(caller))
    const edit: EditedLink = {
      name,
      shortUrl,
      etag,
      base: fingerprint(draft, domains),
      hasImage: link.preview_image !== undefined,
      state: linkState(link, clock.now()),
      domain,
      position,
    }
    const state = { reply, showUtm: false, showPreview: false, edit }
    const view = await forms.build(caller, { draft, state })
    // The form can't show a longer destination, and would ask for another one.
    const isTooLong = link.destination_url.length > LIMITS.inputText
    if (isTooLong || (view.private_metadata ?? '').length > LIMITS.metadata) {
      throw new SlackInputError('This link is too long to be changed from here.')
    }
    await show(view)
  }

  async function fetchImage(
    caller: Caller,
    { preview_image: file, remove_image: isRemoved }: Draft,
    found: FieldError[],
  ): Promise<UpdateRequest['preview_image']> {
    if (file) return collectIssues(found, previewImages.fetch(caller, file))
    return isRemoved ? '' : undefined
  }

  return {
    open,

    async submit(submission: FormSubmission): Promise<void> {
      const { caller, view } = submission
      const { workspace } = caller
      let form = forms.read(caller, view)
      const { draft, state } = form
      const edit = requireEditedLink(form)
      const origin = { ...state.reply, position: edit.position }

      async function save(operation: Operation): Promise<Notice | undefined> {
        await permissions.checkMayChange(caller, edit)
        const domains = await domainsFor(caller, edit)
        const touched: DraftField[] = [
          ...differences(edit.base, fingerprint(draft, domains)).filter(
            // Without a menu of domains, the form can't change the link's domain.
            (field) => field !== 'domain' || draft.domain !== undefined,
          ),
          ...(draft.preview_image || (edit.hasImage && draft.remove_image)
            ? ['preview_image' as const]
            : []),
        ]
        if (touched.length === 0) return undefined
        const { naming, destinations } = await settings.read(workspace.id)
        const named = await forms.applyNaming(caller, form, touched)
        form = named.form
        const found = named.notice === undefined ? [] : [{ message: named.notice }]
        const image = await fetchImage(caller, draft, found)
        const capabilities = await linkService.known(workspace)
        const rules = { domains, naming, destinations, capabilities, found, now: clock.now() }
        const keepsImage = edit.hasImage && draft.remove_image !== true
        const edited = checkEdit(draft, touched, rules, keepsImage)
        const request = { ...edited.changes, ...(image !== undefined && { preview_image: image }) }
        const { name, etag } = edit
        const read = await linkService
          .update(caller, name, request, { operation, etag })
          .catch(async (error: unknown) => {
            if (failureOf(error, 'changed')) throw await staleEdit(domains, operation)
            throw explained(error, draft, request)
          })
        const before = { name, shortUrl: edit.shortUrl, origin }
        const notice = editedNotice(
          read.link,
          edited.labels,
          edit.shortUrl,
          capabilities?.keepsAddresses ?? true,
        )
        const { destination_url = read.link.destination_url, domain = '', ...rest } = request
        const wanted = { ...rest, destination_url, domain, preview_image: undefined }
        notice.text = [notice.text, ...findDifferences(wanted, read.link).map(differenceText)].join(
          ' ',
        )
        changes.follow(caller, before, read.link, { notice })
        return notice
      }

      /** Explains what has changed meanwhile. Saving again then changes the link as it is now. */
      async function staleEdit(
        domains: readonly DomainRecord[],
        operation: Operation,
      ): Promise<SlackInputError> {
        const { link, etag } = await linkService.get(workspace, edit.name, { operation })
        const now = toDraft(link, domains, await offeredTo(caller))
        const changed = differences(edit.base, fingerprint(now, domains))
        const hasImage = link.preview_image !== undefined
        const present = { etag, hasImage, state: linkState(link, clock.now()) }
        form = {
          draft,
          state: { ...state, edit: { ...edit, ...present, shortUrl: link.shortlink_url } },
        }
        const isOff = present.state === 'off'
        const isTurned = isOff !== (edit.state === 'off')
        return new SlackInputError(
          staleText(now, changed, isTurned ? (isOff ? 'off' : 'on') : undefined),
        )
      }

      await answerForm(platform, submission, {
        work: () => save(createOperation({ clock })),
        waiting: noticeModal('Edit a link', 'Saving the link…'),
        rebuild: (messages) => forms.build(caller, form, messages),
        done: (notice) => noticeModal('Edit a link', notice?.text ?? NOTHING_CHANGED),
        closesWhenDone: (notice) => notice !== undefined,
        target: state.reply,
        typed: draftText(draft),
      })
    },
  }
}

function requireEditedLink({ state: { edit } }: ShortenForm): EditedLink {
  if (!edit) throw new Error('the form changes no link')
  return edit
}

/** Someone else might have changed the link, or the user, with an earlier Save whose answer got lost. */
function staleText(now: Draft, changed: readonly DraftField[], turned?: 'off' | 'on'): string {
  const facts = changed.map(
    (field) => `${FIELD_LABELS[field]} is now ${cut(shownValue(now, field), MAX_SHOWN_VALUE)}`,
  )
  if (turned) facts.push(`It is now turned ${turned}`)
  return [
    'This link has changed since you opened it, so nothing was saved this time.',
    ...(facts.length > 0 ? facts.map((fact) => `${fact}.`) : ['Backhalf can’t tell what changed.']),
    'Press Save again to save what you changed. Everything else stays as it is now.',
  ].join(' ')
}

/** Only an address or a destination that was changed can be taken. */
function explained(error: unknown, draft: Draft, request: UpdateRequest): unknown {
  const failure = failureOf(error, 'duplicate', 'back_half_taken', 'conflict')
  const moves = request.back_half !== undefined || request.domain !== undefined
  if (!failure || (!moves && request.destination_url === undefined)) return error
  if (failure.kind !== 'duplicate') {
    const sent = { back_half: moves ? draft.back_half : undefined }
    return new SlackInputError(explainError(error, sent), { cause: error })
  }
  const existing = failure.link?.shortlink_url
  const orUseIt = existing ? `, or use the existing link: ${existing}` : '.'
  const message = `This destination already has another short link on this domain. Choose another destination${orUseIt}`
  return errorAt('destination_url', message, { cause: error })
}
