import type {
  ActionsBlock,
  ConversationsSelect,
  FileInput,
  InputBlock,
  KnownBlock,
  ModalView,
  PlainTextInput,
  URLInput,
} from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { ACTIONS, SHORTEN_BLOCKS, VIEWS } from '../ids.ts'
import type { Draft } from '../input/draft.ts'
import { button, context, initialValue, input, plain, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { cut, LIMITS } from './limits.ts'
import { domainInput, qrInput } from './link-inputs.ts'
import { bold, escape } from './mrkdwn.ts'
import { utmInputs, type UtmSection } from './utm-inputs.ts'

/** The form as it should stand: what was typed is filled in again. */
export interface ShortenModal {
  draft: Draft
  /** The workspace's domain records, the default first. */
  domains: readonly DomainRecord[]
  /** Absent while the UTM parameters are not asked for. */
  utm?: UtmSection | undefined
  /** The workspace's colour of QR codes; absent: black. */
  defaultColor?: string | undefined
  showPreview: boolean
  /** Whether images can be read from Slack (the scope `files:read`). */
  canUpload: boolean
  /** Whether the form asks where the result goes. */
  asksWhere: boolean
  /** Whether the result becomes a reply in a thread, for everybody: the form says so. */
  answersInThread: boolean
  /** For the top of the form: something went wrong. */
  notice?: readonly string[] | undefined
  /** What the submitted form brings back (src/slack/form-state.ts). */
  metadata: string
}

const IN_THREAD = 'The short link is posted as a reply to the message, where everybody sees it.'

const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'svg']

/** Where a link is made with everything that it can have. */
export function shortenModal(form: ShortenModal): ModalView {
  const { draft } = form
  return {
    type: 'modal',
    callback_id: VIEWS.shorten,
    private_metadata: form.metadata,
    title: plain('Shorten a link', LIMITS.viewTitle),
    submit: plain('Create', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...(form.notice ?? []).map((message) => section(`:warning: ${escape(message)}`)),
      input<URLInput>(
        'destination_url',
        FIELD_LABELS.destination_url,
        {
          type: 'url_text_input',
          placeholder: plain('https://example.com/some/long/page', 150),
          ...initialValue(draft.destination_url),
        },
        { optional: false },
      ),
      domainInput(draft.domain, form.domains),
      textInput('back_half', draft.back_half, {
        placeholder: 'spring-sale',
        hint: 'The end of the short link. Leave it empty to have one made for you.',
      }),
      textInput('title', draft.title, { placeholder: 'What your team will call it' }),
      ...(form.asksWhere ? [conversationInput(draft)] : []),
      qrInput(draft),
      textInput('qr_code_color', draft.qr_code_color, {
        placeholder: form.defaultColor ?? '#000000',
        hint: `A dark colour of the form #RRGGBB. ${form.defaultColor ?? 'Black'}, if you leave it empty.`,
      }),
      ...(form.utm ? utmInputs(draft, form.utm) : []),
      ...(form.showPreview ? [section('*Custom preview*'), ...previewInputs(form)] : []),
      ...reveals(form),
      ...(form.answersInThread ? [context(IN_THREAD)] : []),
    ],
  }
}

/** Buttons for what is still hidden. What has been revealed stays, so that nothing typed is lost. */
function reveals({ utm, showPreview }: ShortenModal): ActionsBlock[] {
  const elements = [
    ...(utm ? [] : [button('Add UTM parameters', ACTIONS.revealUtm)]),
    ...(showPreview ? [] : [button('Add a custom preview', ACTIONS.revealPreview)]),
  ]
  return elements.length > 0 ? [{ type: 'actions', elements }] : []
}

function previewInputs({ draft, canUpload }: ShortenModal): KnownBlock[] {
  return [
    textInput('preview_title', draft.preview_title, {
      hint: 'Shown instead of the page’s own when the link is posted somewhere.',
    }),
    textInput('preview_description', draft.preview_description, {
      multiline: true,
    }),
    ...(draft.preview_image ? [keptImage(draft.preview_image.name)] : []),
    ...(!draft.preview_image && canUpload ? [imageInput()] : []),
    ...(canUpload ? [] : [context('An admin can let the app read files, to add an image here.')]),
  ]
}

function imageInput(): InputBlock {
  return input<FileInput>(
    'preview_image',
    FIELD_LABELS.preview_image,
    { type: 'file_input', filetypes: IMAGE_EXTENSIONS, max_files: 1 },
    { hint: 'png, jpg or svg, at most 500 KB.' },
  )
}

/** A file input can't be filled in again, so an image that was uploaded is shown like this. */
function keptImage(name: string): KnownBlock {
  return {
    ...section(`Image kept: ${bold(cut(name, 200))}`),
    accessory: button('Remove', ACTIONS.removeImage),
  }
}

/** On a form that is drawn again, what was chosen, or was left empty, stays so. */
function conversationInput({ conversation }: Draft): InputBlock {
  return input<ConversationsSelect>(
    SHORTEN_BLOCKS.conversation,
    'Show the result in',
    {
      type: 'conversations_select',
      response_url_enabled: true,
      ...(conversation === undefined && { default_to_current_conversation: true }),
      ...(conversation && { initial_conversation: conversation }),
    },
    { hint: 'Only you will see it there. Leave it empty to get it as a direct message.' },
  )
}

function textInput(
  field: Exclude<keyof Draft, 'qr_code_enabled' | 'preview_image' | 'conversation'>,
  value: string | undefined,
  more: { placeholder?: string; hint?: string; multiline?: boolean } = {},
): InputBlock {
  const { placeholder, hint, multiline } = more
  return input<PlainTextInput>(
    field,
    FIELD_LABELS[field],
    {
      type: 'plain_text_input',
      ...(multiline && { multiline }),
      ...(placeholder && { placeholder: plain(placeholder, 150) }),
      ...initialValue(value),
    },
    hint ? { hint } : {},
  )
}
