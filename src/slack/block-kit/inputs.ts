import type {
  Checkboxes,
  ConversationsSelect,
  InputBlock,
  KnownBlock,
  ModalView,
  MultiStaticSelect,
  PlainTextInput,
  PlainTextOption,
  RadioButtons,
  StaticSelect,
  URLInput,
} from '@slack/types'
import { INPUT } from '../ids.ts'
import { LIMITS, option, plain, warnings } from './elements.ts'
import { fieldBlockId, FIELD_LABELS, type Field } from './fields.ts'
import { readOnlyModal } from './notices.ts'

interface InputOptions {
  hint?: string | undefined
  optional?: boolean | undefined
  placeholder?: string | undefined
  fillCount?: number | undefined // how often the app has filled in the form (`fieldBlockId`)
}

export function input<E extends InputBlock['element']>(
  field: Field,
  element: Omit<E, 'action_id'>,
  { hint, optional = true, placeholder, fillCount = 0 }: InputOptions = {},
): InputBlock {
  const shown = placeholder && { placeholder: plain(placeholder, LIMITS.placeholder) }
  return {
    type: 'input',
    block_id: fieldBlockId(field, fillCount),
    optional,
    label: plain(FIELD_LABELS[field], LIMITS.inputLabel),
    element: { ...element, ...shown, action_id: INPUT } as E,
    ...(hint && { hint: plain(hint, LIMITS.inputHint) }),
  }
}

interface TextInputOptions
  extends
    InputOptions,
    Partial<Pick<PlainTextInput, 'multiline' | 'max_length' | 'focus_on_load'>> {
  type?: 'url_text_input'
}

/** A value that is too long is left out, because a shortened one would be saved by mistake. */
export function textInput(
  field: Field,
  value: string | undefined,
  { hint, optional, placeholder, fillCount, ...element }: TextInputOptions = {},
): InputBlock {
  const initial = value && value.length <= LIMITS.inputText && { initial_value: value }
  return input<PlainTextInput | URLInput>(
    field,
    { type: 'plain_text_input', ...element, ...initial },
    { hint, optional, placeholder, fillCount },
  )
}

export function checkbox(
  field: Field,
  text: string,
  isChecked: boolean | undefined,
  options?: InputOptions,
): InputBlock {
  const choices = [option(text, 'on')]
  return input<Checkboxes>(
    field,
    { type: 'checkboxes', options: choices, ...(isChecked && { initial_options: choices }) },
    options,
  )
}

interface ChoiceInputOptions extends InputOptions {
  type?: 'static_select' | 'radio_buttons'
}

export function choiceInput(
  field: Field,
  choices: readonly PlainTextOption[],
  selected: string | undefined,
  { type = 'static_select', optional = false, ...options }: ChoiceInputOptions = {},
): InputBlock {
  const shown = choices.slice(0, LIMITS.selectOptions)
  const initial = shown.find(({ value }) => value === selected)
  return input<StaticSelect | RadioButtons>(
    field,
    { type, options: shown, ...(initial && { initial_option: initial }) },
    { ...options, optional },
  )
}

export function choicesInput(
  field: Field,
  choices: readonly PlainTextOption[],
  selected: readonly string[],
  options?: InputOptions,
): InputBlock {
  const initial = choices.filter(({ value }) => selected.includes(value ?? ''))
  return input<MultiStaticSelect>(
    field,
    {
      type: 'multi_static_select',
      options: [...choices],
      ...(initial.length > 0 && { initial_options: initial }),
    },
    options,
  )
}

export function channelInput(
  field: Field,
  channel: string | undefined,
  options: InputOptions,
  filter: ConversationsSelect['filter'] = { include: ['public', 'private'] },
): InputBlock {
  return input<ConversationsSelect>(
    field,
    {
      type: 'conversations_select',
      filter,
      ...(channel !== undefined && { initial_conversation: channel }),
    },
    options,
  )
}

interface FormModal {
  callbackId: string
  title: string
  submit?: string
  close?: string
  metadata?: string
  notice?: readonly string[]
  blocks: KnownBlock[]
}

export function formModal(form: FormModal): ModalView {
  const { callbackId, submit = 'Save', close = 'Cancel', metadata = '', notice = [] } = form
  return {
    ...readOnlyModal(form.title, [...warnings(notice), ...form.blocks], { callbackId, close }),
    private_metadata: metadata,
    submit: plain(submit, LIMITS.viewTitle),
  }
}
