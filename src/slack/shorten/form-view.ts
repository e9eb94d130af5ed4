import type {
  ConversationsSelect,
  FileInput,
  InputBlock,
  KnownBlock,
  ModalView,
} from '@slack/types'
import { z } from 'zod'
import {
  GROUP_FIELDS,
  GROUP_FLAGS,
  FIELD_SPECS,
  type LinkField,
} from '../../contract/link-fields.ts'
import type { FieldGroup } from '../../contract/field-spec.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { domainRecord, type DomainRecord } from '../../workspaces/connection.ts'
import { actions, button, context, present, section } from '../block-kit/elements.ts'
import { FIELD_LABELS, fieldBlockId } from '../block-kit/fields.ts'
import { checkbox, formModal, input, textInput } from '../block-kit/inputs.ts'
import { bold, cut } from '../block-kit/mrkdwn.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import { replyTarget } from '../platform/caller.ts'
import {
  chosenFile,
  isChecked,
  selectedOption,
  typedText,
  inputValue,
  type FormValues,
} from '../platform/form-values.ts'
import type { UploadedFile } from '../platform/slack-files.ts'
import { offeredFields } from './create-request.ts'
import { domainInput } from './menus.ts'
import { utmInputs, type UtmSection } from './utm-inputs.ts'
import { type Draft, DRAFT_FIELDS, DRAFT_TEXTS, type DraftField, type DraftText } from './draft.ts'
import { expiryInput } from './expiry.ts'

export const formState = z.object({
  reply: replyTarget,
  showUtm: z.boolean(),
  showPreview: z.boolean(),
  filled: z.number().int().optional(), // How many times the app has filled in the form.
  lookalike: z.string().optional(), // The form has warned that another link has a similar back-half.
  image: z.object({ id: z.string(), name: z.string() }).optional(),
  edit: z
    .object({
      name: z.string(),
      shortUrl: z.string(),
      etag: z.string().optional(),
      base: z.string(), // Hashes of the link's values when the form was opened (`fingerprint`).
      hasImage: z.boolean(),
      state: z.enum(['off', 'expired']).optional(),
      domain: domainRecord.optional(), // The link's domain, if it isn't one of the workspace's.
      position: z.string().optional(),
    })
    .optional(),
})

export type FormState = z.infer<typeof formState>

export type EditedLink = NonNullable<FormState['edit']>

interface ShortenModal {
  draft: Draft
  state: FormState
  domains: readonly DomainRecord[]
  capabilities: Capabilities
  utm: UtmSection
  defaultColor?: string | undefined
  usedTags: readonly string[]
  now: number
  canUpload: boolean
  metadata: string
}

export function shortenModal(form: ShortenModal): ModalView {
  const { draft, capabilities } = form
  const { edit, reply } = form.state
  return formModal({
    callbackId: edit ? VIEWS.edit : VIEWS.shorten,
    metadata: form.metadata,
    title: edit ? 'Edit a link' : 'Shorten a link',
    submit: edit ? 'Save' : 'Create',
    blocks: present([
      edit?.state && context(STATE_NOTES[edit.state]),
      ...PARTS.flatMap((part) => partBlocks(part, form)),
      !edit &&
        capabilities.usedDestination === 'findable' &&
        checkbox('allows_duplicate', ANOTHER_LINK, draft.allows_duplicate),
      !edit && reply.responseUrl === undefined && conversationInput(draft),
      reply.inChannel &&
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
      if (!isOffered('utm_source', form)) return []
      return form.state.showUtm
        ? utmInputs(form.draft, form.utm)
        : actions([button('Add UTM parameters', ACTIONS.revealUtm)])
    case 'preview':
      if (!isOffered('preview_title', form)) return []
      return form.state.showPreview
        ? [section(bold(FIELD_LABELS.is_custom_preview)), ...groupInputs(part, form)]
        : actions([button('Add a custom preview', ACTIONS.revealPreview)])
    case 'qr':
      return [...fieldInput(GROUP_FLAGS.qr, form), ...groupInputs(part, form)]
    default:
      return fieldInput(part, form)
  }
}

function isOffered(name: LinkField, { capabilities, state }: ShortenModal): boolean {
  return (state.edit ? capabilities.editable : offeredFields(capabilities)).includes(name)
}

function groupInputs(group: 'preview' | 'qr', form: ShortenModal): KnownBlock[] {
  return GROUP_FIELDS[group].flatMap((name) => fieldInput(name, form))
}

function fieldInput(name: DraftField, form: ShortenModal): KnownBlock[] {
  const { draft, domains, now } = form
  if (!isOffered(name, form)) return []
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
  const { draft, capabilities, defaultColor, usedTags, utm } = form
  const { edit } = form.state
  const { kind, isRequired, isPermanent, example: placeholder, hint } = FIELD_SPECS[name]
  return textInput(name, draft[name], {
    ...(kind === 'url' && { type: 'url_text_input' }),
    ...(kind === 'lines' && { multiline: true }),
    placeholder,
    hint,
    optional: !(isRequired ?? (edit && isPermanent)),
    ...(kind === 'back_half' &&
      edit && {
        hint: `The end of the short link. If you change it, the earlier short link ${capabilities.keepsAddresses ? 'still works' : 'stops working'}.`,
      }),
    ...(kind === 'tags' && {
      fillCount: utm.fillCount,
      hint: usedTags.length > 0 ? `${hint} Often used: ${usedTags.join(', ')}.` : hint,
    }),
    ...(kind === 'color' && {
      placeholder: defaultColor ?? DEFAULT_COLOR,
      hint: `A dark color, written as #RRGGBB. ${defaultColor ?? 'Black'} if left empty.`,
    }),
  })
}

function imageInputs({ draft, canUpload, state }: ShortenModal): KnownBlock[] {
  const { preview_image: uploaded, remove_image: removed } = draft
  const hasImage = state.edit?.hasImage === true && !uploaded
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
  const text = `Image kept: ${bold(cut(name, MAX_NAME_LENGTH))}`
  return section(text, remove, fieldBlockId('preview_image', 1))
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
