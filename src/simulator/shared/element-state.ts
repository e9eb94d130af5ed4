import type { SlackJson, ValueElement, ViewValues } from '../protocol.ts'
import { objects, placedElements, sameJson } from './slack-json.ts'

// A state is what a person has entered or selected in an element, such as { type: 'plain_text_input', value: 'spring' }.

export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024

const STATE_FIELDS: Record<ValueElement, { field: string; initial: string; isList?: true }> = {
  plain_text_input: { field: 'value', initial: 'initial_value' },
  url_text_input: { field: 'value', initial: 'initial_value' },
  static_select: { field: 'selected_option', initial: 'initial_option' },
  radio_buttons: { field: 'selected_option', initial: 'initial_option' },
  checkboxes: { field: 'selected_options', initial: 'initial_options', isList: true },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', isList: true },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation' },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time' },
  file_input: { field: 'files', initial: '', isList: true },
}

export function valueField(element: SlackJson): string {
  return stateFields(element)?.field ?? 'value'
}

export function toState(element: SlackJson, value: unknown): SlackJson {
  return { type: element.type, [valueField(element)]: value }
}

export function initialState(element: SlackJson): SlackJson {
  const { initial = '', isList = false } = stateFields(element) ?? {}
  return toState(element, element[initial] ?? (isList ? [] : null))
}

/** Compares whole options, because Slack treats an option with a changed text as another, even with the same value. */
export function isOffered(element: SlackJson, value: unknown): boolean {
  if (element.type === 'datetimepicker') return Number.isInteger(value)
  const options = objects(element.options)
  return options.length > 0
    ? options.some((option) => sameJson(option, value))
    : typeof value === 'string'
}

export function canKeepState(element: SlackJson, state: SlackJson): boolean {
  if (state.type !== element.type) return false
  if (objects(element.options).length === 0) return true
  // An option, a list of options, or null.
  const choices: unknown[] = [state[valueField(element)] ?? []].flat()
  return choices.every((choice) => isOffered(element, choice))
}

export function stateFields({ type }: SlackJson) {
  return Object.hasOwn(STATE_FIELDS, String(type)) ? STATE_FIELDS[type as ValueElement] : undefined
}

export function stateAt(values: ViewValues, blockId: unknown, element: SlackJson) {
  return values[String(blockId)]?.[String(element.action_id)]
}

export function withState(
  values: ViewValues,
  blockId: string,
  element: SlackJson,
  state: SlackJson,
): ViewValues {
  return { ...values, [blockId]: { ...values[blockId], [String(element.action_id)]: state } }
}

export function mapStates(
  blocks: readonly SlackJson[],
  earlier: ViewValues,
  compute: (element: SlackJson, earlierState?: SlackJson) => SlackJson,
): ViewValues {
  let values: ViewValues = {}
  for (const { block, element } of placedElements(blocks)) {
    if (!stateFields(element)) continue
    const state = compute(element, stateAt(earlier, block.block_id, element))
    values = withState(values, String(block.block_id), element, state)
  }
  return values
}
