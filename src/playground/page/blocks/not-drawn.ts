import type { ComponentChildren } from 'preact'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'

const PLACEHOLDER = ['placeholder', 'confirm', 'focus_on_load']
const TYPED = ['placeholder', 'focus_on_load', 'initial_value', 'dispatch_action_config']

/**
 * The fields that the page draws, or may ignore, by type: those that the app uses. All others get
 * a placeholder, so that nothing the app sends is missing without a trace.
 */
const DRAWN: Record<string, readonly string[]> = {
  section: ['text', 'fields', 'accessory'],
  context: ['elements'],
  header: ['text'],
  divider: [],
  image: ['image_url', 'slack_file', 'alt_text'],
  actions: ['elements'],
  input: ['label', 'element', 'hint', 'optional', 'dispatch_action'],
  rich_text: ['elements'],
  rich_text_preformatted: ['elements', 'border'],
  attachment: ['blocks', 'id', 'from_url', 'app_unfurl_url', 'is_app_unfurl', 'bot_id'],
  plain_text: ['text', 'emoji'],
  mrkdwn: ['text', 'verbatim'],
  button: ['text', 'value', 'style', 'confirm', 'accessibility_label'],
  overflow: ['options', 'confirm'],
  plain_text_input: [...TYPED, 'multiline', 'min_length', 'max_length'],
  url_text_input: TYPED,
  static_select: [...PLACEHOLDER, 'options', 'initial_option'],
  multi_static_select: [...PLACEHOLDER, 'options', 'initial_options'],
  conversations_select: [
    ...PLACEHOLDER,
    'initial_conversation',
    'default_to_current_conversation',
    'response_url_enabled',
  ],
  radio_buttons: ['options', 'initial_option', 'confirm', 'focus_on_load'],
  checkboxes: ['options', 'initial_options', 'confirm', 'focus_on_load'],
  datepicker: [...PLACEHOLDER, 'initial_date'],
  datetimepicker: ['confirm', 'focus_on_load', 'initial_date_time'],
  file_input: ['filetypes', 'max_files'],
  option: ['text', 'value'],
}

const IDS = ['type', 'block_id', 'action_id']

/** Whether the page draws this type of block or element. */
export function isDrawn({ type }: SlackJson): boolean {
  return Object.hasOwn(DRAWN, string(type))
}

/** The types and fields of a block or element that the page does not draw: `section.fields`. */
export function notDrawn(json: SlackJson, type = string(json.type)): string[] {
  const drawn = Object.hasOwn(DRAWN, type) ? DRAWN[type] : undefined
  if (!drawn) return [type]
  const fields = Object.keys(json).filter((field) => ![...IDS, ...drawn].includes(field))
  const inOptions = objects(json.options).flatMap((option) => notDrawn(option, 'option'))
  return [...fields.map((field) => `${type}.${field}`), ...new Set(inOptions)]
}

/** A visible note for each type or field that the page does not draw. */
export function placeholders(names: readonly string[]): ComponentChildren {
  return names.map(
    (name) => html`<p class="not-drawn">The playground doesn’t draw <code>${name}</code>.</p>`,
  )
}
