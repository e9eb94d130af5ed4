import type {
  Button,
  ContextBlock,
  InputBlock,
  KnownBlock,
  PlainTextElement,
  PlainTextOption,
  RichTextBlock,
  RichTextPreformatted,
  SectionBlock,
} from '@slack/types'
import { INPUT } from '../ids.ts'
import { cut, LIMITS } from '../blocks/limits.ts'
import { cutMarkup } from '../blocks/mrkdwn.ts'

/** A message as every sender takes it: `text` is what notifications show. */
export interface MessageContent {
  text: string
  blocks: KnownBlock[]
}

export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: cut(text, max), emoji: true }
}

/** @param mrkdwn text whose foreign parts are escaped already */
export function section(mrkdwn: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: cutMarkup(mrkdwn, LIMITS.sectionText) } }
}

/** @param mrkdwn text whose foreign parts are escaped already */
export function context(mrkdwn: string): ContextBlock {
  return {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: cutMarkup(mrkdwn, LIMITS.contextText) }],
  }
}

/** Text to copy: in a code block of rich text nothing is markup, whatever it holds. */
export function code(text: string): RichTextBlock {
  const elements: RichTextPreformatted['elements'] = [{ type: 'text', text }]
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] }
}

export function button(
  text: string,
  action: string,
  more: Pick<Button, 'value' | 'style' | 'confirm'> = {},
): Button {
  return { type: 'button', text: plain(text, LIMITS.buttonText), action_id: action, ...more }
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plain(text, LIMITS.optionText), value }
}

/** An input block around an element; its block_id says which input it is. */
export function input<E extends InputBlock['element']>(
  block: string,
  label: string,
  element: Omit<E, 'action_id'>,
  { hint, optional = true }: { hint?: string; optional?: boolean } = {},
): InputBlock {
  return {
    type: 'input',
    block_id: block,
    optional,
    label: plain(label, LIMITS.inputLabel),
    element: { ...element, action_id: INPUT } as E,
    ...(hint && { hint: plain(hint, LIMITS.inputHint) }),
  }
}

/** A text that is too long for an input is left out: cut short, it would be another one. */
export function initialValue(value: string | undefined): { initial_value?: string } {
  return value && value.length <= LIMITS.inputText ? { initial_value: value } : {}
}
