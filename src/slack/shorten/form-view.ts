import type {
  ConversationsSelect,
  FileInput,
  InputBlock,
  KnownBlock,
  ModalView,
} from '@slack/types'
import {
  GROUP_FIELDS,
  GROUP_FLAGS,
  FIELD_SPECS,
  type LinkField,
} from '../../contract/link-fields.ts'
import type { FieldGroup } from '../../contract/field-spec.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { actions, button, context, present, section } from '../block-kit/elements.ts'
import { FIELD_LABELS, fieldBlockId } from '../block-kit/fields.ts'
import { checkbox, formModal, input, textInput } from '../block-kit/inputs.ts'
import { bold, cut } from '../block-kit/mrkdwn.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import {
  chosenFile,
  isChecked,
  selectedOption,
  typedText,
  inputValue,
  type FormValues,
} from '../platform/form-values.ts'
import type { UploadedFile } from '../platform/slack-files.ts'
import { domainInput } from './menus.ts'
import { utmInputs, type UtmSection } from './utm-inputs.ts'
import { type Draft, DRAFT_FIELDS, DRAFT_TEXTS, type DraftField, type DraftText } from './draft.ts'
import { expiryInput } from './expiry.ts'

interface ShortenModal {
  draft: Draft
  domains: readonly DomainRecord[]
  utm?: UtmSection | undefined
  defaultColor?: string | undefined
  showPreview: boolean
  offered: readonly LinkField[]
  mayDuplicate: boolean // Whether the form offers another link if the destination has one.
  keepsAddresses: boolean
  usedTags: readonly string[]
  now: number
  canUpload: boolean
  asksWhere: boolean
  answersInThread: boolean
  edit?: { hasImage: boolean; state?: ShownLink['state'] } | undefined
  metadata: string
}

export function shortenModal(form: ShortenModal): ModalView {
  const { draft, edit } = form
  return formModal({
    callbackId: edit ? VIEWS.edit : VIEWS.shorten,
    metadata: form.metadata,
    title: edit ? 'Edit a link' : 'Shorten a link',
    submit: edit ? 'Save' : 'Create',
    blocks: present([
      edit?.state && context(STATE_NOTES[edit.state]),
      ...PARTS.flatMap((part) => partBlocks(part, form)),
      form.mayDuplicate && checkbox('allows_duplicate', ANOTHER_LINK, draft.allows_duplicate),
      form.asksWhere && conversationInput(draft),
      form.answersInThread &&
        context('The short link is posted as a reply to the message, where everyone sees it.'),
    ]),
  })
}

const STATE_NOTES = {
  off: 'This link is turned off. Saving doesn’t turn it on.',
  expired: 'This link has expired. To use it again, change when it expires.',
} as const

const PARTS = [
  ...new Set(
    DRAFT_FIELDS.map((name): DraftField | FieldGroup => {
      const { group, turnsOn } = FIELD_SPECS[name]
      return group ?? turnsOn ?? name
    }),
  ),
]

const ANOTHER_LINK = 'Create another link if this destination already has one'

/** A hidden group is a button that reveals it. It can't be hidden again: Slack drops the values of hidden inputs. */
function partBlocks(part: (typeof PARTS)[number], form: ShortenModal): KnownBlock[] {
  switch (part) {
    case 'utm':
      if (!form.offered.includes('utm_source')) return []
      return form.utm
        ? utmInputs(form.draft, form.utm)
        : actions([button('Add UTM parameters', ACTIONS.revealUtm)])
    case 'preview':
      if (!form.offered.includes('preview_title')) return []
      return form.showPreview
        ? [section(bold(FIELD_LABELS.is_custom_preview)), ...groupInputs(part, form)]
        : actions([button('Add a custom preview', ACTIONS.revealPreview)])
    case 'qr':
      return [...fieldInput(GROUP_FLAGS.qr, form), ...groupInputs(part, form)]
    default:
      return fieldInput(part, form)
  }
}

function groupInputs(group: 'preview' | 'qr', form: ShortenModal): KnownBlock[] {
  return GROUP_FIELDS[group].flatMap((name) => fieldInput(name, form))
}

function fieldInput(name: DraftField, form: ShortenModal): KnownBlock[] {
  const { draft, domains, offered, now } = form
  if (!offered.includes(name)) return []
  switch (FIELD_SPECS[name].kind) {
    case 'domain':
      return domainInput(draft.domain, domains)
    case 'flag':
      return [checkbox('qr_code_enabled', 'Create a QR code', draft.qr_code_enabled)]
    case 'instant':
      return [expiryInput(draft.expires_at, now)]
    case 'image':
      return imageInputs(form)
    default:
      return [draftInput(name as DraftText, form)]
  }
}

function draftInput(name: DraftText, form: ShortenModal): InputBlock {
  const { draft, edit, defaultColor, usedTags, utm } = form
  const { kind, isRequired, isPermanent, example: placeholder, hint } = FIELD_SPECS[name]
  return textInput(name, draft[name], {
    ...(kind === 'url' && { type: 'url_text_input' }),
    ...(kind === 'lines' && { multiline: true }),
    placeholder,
    hint,
    optional: !(isRequired ?? (edit && isPermanent)),
    ...(kind === 'back_half' &&
      edit && {
        hint: `The end of the short link. If you change it, the earlier short link ${form.keepsAddresses ? 'still works' : 'stops working'}.`,
      }),
    ...(kind === 'tags' && {
      fillCount: utm?.fillCount,
      hint: usedTags.length > 0 ? `${hint} Often used: ${usedTags.join(', ')}.` : hint,
    }),
    ...(kind === 'color' && {
      placeholder: defaultColor ?? DEFAULT_COLOR,
      hint: `A dark color, written as #RRGGBB. ${defaultColor ?? 'Black'} if left empty.`,
    }),
  })
}

function imageInputs({ draft, canUpload, edit }: ShortenModal): KnownBlock[] {
  const { preview_image: uploaded, remove_image: removed } = draft
  const hasImage = edit?.hasImage === true && !uploaded
  const kept = hasImage ? ' The link keeps its image unless you choose another.' : ''
  return present([
    uploaded && uploadedImage(uploaded),
    !uploaded &&
      canUpload &&
      input<FileInput>(
        'preview_image',
        { type: 'file_input', filetypes: ['png', 'jpg', 'jpeg', 'svg'], max_files: 1 },
        { hint: `png, jpg or svg, at most 10 MB.${kept}` },
      ),
    hasImage && checkbox('remove_image', 'Remove the image', removed),
    !canUpload &&
      context(
        'To add an image here, an admin has to allow Backhalf to read files, by installing it again.',
      ),
  ])
}

const MAX_NAME_LENGTH = 200

/** Shows an uploaded image when the form is built again, because a file input can't be filled in. */
function uploadedImage({ name }: UploadedFile): KnownBlock {
  const remove = button('Remove', ACTIONS.removeImage)
  return {
    ...section(`Image kept: ${bold(cut(name, MAX_NAME_LENGTH))}`, remove),
    block_id: fieldBlockId('preview_image', 1),
  }
}

/** If the form is built again, the user's choice stays, even if it was to leave this empty. */
function conversationInput({ conversation }: Draft): InputBlock {
  return input<ConversationsSelect>(
    'conversation',
    {
      type: 'conversations_select',
      response_url_enabled: true,
      ...(conversation === undefined && { default_to_current_conversation: true }),
      ...(conversation && { initial_conversation: conversation }),
    },
    { hint: 'Only you will see it there. Leave this empty to get it as a direct message.' },
  )
}

export function parseShortenForm(values: FormValues, image?: UploadedFile): Draft {
  const draft: Draft = { qr_code_enabled: isChecked(values, 'qr_code_enabled') }
  for (const field of DRAFT_TEXTS) {
    const text = typedText(values, field) || selectedOption(values, field)
    if (text) draft[field] = text
  }
  const expiresAt = inputValue(values, 'expires_at')?.selected_date_time
  if (typeof expiresAt === 'number') draft.expires_at = new Date(expiresAt * 1000).toISOString()
  const where = inputValue(values, 'conversation')
  if (where) draft.conversation = where.selected_conversation ?? null
  if (isChecked(values, 'remove_image')) draft.remove_image = true
  if (isChecked(values, 'allows_duplicate')) draft.allows_duplicate = true
  const previewImage = chosenFile(values, 'preview_image') ?? image
  if (previewImage) draft.preview_image = previewImage
  return draft
}
