import type {
  ActionsBlock,
  Button,
  ContextBlock,
  KnownBlock,
  PlainTextElement,
  PlainTextOption,
  RichTextBlock,
  RichTextPreformatted,
  SectionBlock,
} from '@slack/types'
import { LIMITS } from './limits.ts'
import { cut, cutMrkdwn } from './mrkdwn.ts'

/** A message. Notifications and screen readers use `text`. */
export interface MessageContent {
  text: string
  blocks: KnownBlock[]
}

export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: cut(text, max), emoji: true }
}

/** @param mrkdwn any text from a user or a service in it must already be escaped */
export function section(mrkdwn: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: cutMrkdwn(mrkdwn, LIMITS.sectionText) } }
}

/** @param mrkdwn any text from a user or a service in it must already be escaped */
export function context(mrkdwn: string): ContextBlock {
  return {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: cutMrkdwn(mrkdwn, LIMITS.contextText) }],
  }
}

/** Text to copy. Nothing in a code block of rich text is read as markup. */
export function code(text: string): RichTextBlock {
  const elements: RichTextPreformatted['elements'] = [{ type: 'text', text }]
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] }
}

/** A row of elements; no block if there are no elements, because Slack refuses an empty one. */
export function actions(elements: ActionsBlock['elements']): ActionsBlock[] {
  return elements.length > 0 ? [{ type: 'actions', elements }] : []
}

export function button(
  text: string,
  actionId: string,
  options: Pick<Button, 'value' | 'style' | 'confirm'> = {},
): Button {
  return { type: 'button', text: plain(text, LIMITS.buttonText), action_id: actionId, ...options }
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plain(text, LIMITS.optionText), value }
}
