import { randomUUID } from 'node:crypto'
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
  StaticSelect,
} from '@slack/types'
import { cut, cutMrkdwn, warningText } from './mrkdwn.ts'

/** Slack's limits in characters (Block Kit reference). If pages of the reference disagree, this is the lower limit. */
export const LIMITS = {
  sectionText: 3000,
  buttonText: 75,
  buttonValue: 2000,
  metadata: 3000,
  optionText: 75,
  optionValue: 75,
  selectOptions: 100,
  headerText: 150,
  contextText: 2000,
  altText: 2000,
  imageUrl: 3000,
  inputLabel: 2000,
  inputHint: 2000,
  inputText: 3000,
  placeholder: 150,
  viewTitle: 24,
  blockId: 255,
} as const

export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: cut(text, max), emoji: true }
}

/** @param mrkdwn must already be escaped where it contains text from users or services */
export function section(
  mrkdwn: string,
  accessory?: SectionBlock['accessory'],
  blockId?: string,
): SectionBlock {
  const text = { type: 'mrkdwn', text: cutMrkdwn(mrkdwn, LIMITS.sectionText) } as const
  const id = blockId === undefined ? {} : { block_id: blockId }
  return { type: 'section', text, ...(accessory && { accessory }), ...id }
}

const WARNING_BLOCK = 'warning:'

export function asWarning<B extends KnownBlock>(block: B): B {
  return { ...block, block_id: WARNING_BLOCK + randomUUID() }
}

export function warnings(messages: readonly string[]): SectionBlock[] {
  return messages.map((message) => asWarning(section(warningText(message))))
}

export function isWarning({ block_id: id }: KnownBlock): boolean {
  return id?.startsWith(WARNING_BLOCK) === true
}

export function context(mrkdwn: string): ContextBlock {
  const text = cutMrkdwn(mrkdwn, LIMITS.contextText)
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] }
}

/** The text needs no escaping, because Slack doesn't parse markup in rich text. */
export function code(text: string): RichTextBlock {
  const elements: RichTextPreformatted['elements'] = [{ type: 'text', text }]
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] }
}

type Optional<T> = T | false | '' | undefined

/** Leaves out what isn't shown: `present([title, isOff && 'off'])`. */
export function present<T>(items: readonly Optional<T>[]): T[] {
  return items.filter((item) => item !== false && item !== '' && item !== undefined) as T[]
}

/** Returns a row of buttons and menus, or no block without elements, because Slack refuses an empty row. */
export function actions(
  buttons: readonly Optional<ActionsBlock['elements'][number]>[],
): ActionsBlock[] {
  const elements = present(buttons)
  return elements.length > 0 ? [{ type: 'actions', elements }] : []
}

export function button(
  text: string,
  actionId: string,
  options: Pick<Button, 'value' | 'style' | 'url' | 'accessibility_label'> = {},
): Button {
  return { type: 'button', text: plain(text, LIMITS.buttonText), action_id: actionId, ...options }
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plain(text, LIMITS.optionText), value }
}

export function menu(
  action_id: string,
  placeholder: string,
  options: PlainTextOption[],
  selected?: PlainTextOption,
): StaticSelect {
  return {
    type: 'static_select',
    action_id,
    options,
    placeholder: plain(placeholder, LIMITS.placeholder),
    ...(selected && { initial_option: selected }),
  }
}
