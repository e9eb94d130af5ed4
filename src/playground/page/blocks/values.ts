import type { SlackJson, ViewValues } from '../../protocol.ts'
import { isObject, objects, string } from '../json.ts'

/** How an element keeps what was put into it: its state's field, and the field it begins with. */
const KEEPS: Record<string, { field: string; initial: string; many?: true }> = {
  plain_text_input: { field: 'value', initial: 'initial_value' },
  url_text_input: { field: 'value', initial: 'initial_value' },
  email_text_input: { field: 'value', initial: 'initial_value' },
  number_input: { field: 'value', initial: 'initial_value' },
  static_select: { field: 'selected_option', initial: 'initial_option' },
  radio_buttons: { field: 'selected_option', initial: 'initial_option' },
  checkboxes: { field: 'selected_options', initial: 'initial_options', many: true },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', many: true },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation' },
  multi_conversations_select: {
    field: 'selected_conversations',
    initial: 'initial_conversations',
    many: true,
  },
  channels_select: { field: 'selected_channel', initial: 'initial_channel' },
  users_select: { field: 'selected_user', initial: 'initial_user' },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', many: true },
  datepicker: { field: 'selected_date', initial: 'initial_date' },
  timepicker: { field: 'selected_time', initial: 'initial_time' },
  file_input: { field: 'files', initial: '', many: true },
}

/** The field of an element's state that holds its value; undefined for one that keeps none. */
export function valueField(element: SlackJson): string | undefined {
  return KEEPS[string(element.type)]?.field
}

/** An element's state with this value. */
export function stateOf(element: SlackJson, value: unknown): SlackJson {
  const type = string(element.type)
  return { type, [KEEPS[type]?.field ?? 'value']: value }
}

/**
 * The values of blocks that have changed: what was held stays where block_id, action_id and kind
 * stay and a choice is still offered; every other element has what it begins with.
 */
export function reconcile(blocks: readonly SlackJson[], held: ViewValues): ViewValues {
  const values: ViewValues = {}
  for (const block of blocks) {
    for (const element of elementsOf(block)) {
      const blockId = string(block.block_id)
      const actionId = string(element.action_id)
      const before = held[blockId]?.[actionId]
      const state = before && stillHolds(element, before) ? before : initialState(element)
      if (state) values[blockId] = { ...values[blockId], [actionId]: state }
    }
  }
  return values
}

/** The values with one element's state changed. */
export function withState(
  values: ViewValues,
  blockId: string,
  element: SlackJson,
  state: SlackJson,
): ViewValues {
  return {
    ...values,
    [blockId]: { ...values[blockId], [string(element.action_id)]: state },
  }
}

function elementsOf(block: SlackJson): SlackJson[] {
  const inActions = block.type === 'actions' ? objects(block.elements) : []
  return [block.element, block.accessory, ...inActions].filter(isObject)
}

function initialState(element: SlackJson): SlackJson | undefined {
  const keeps = KEEPS[string(element.type)]
  if (!keeps) return undefined
  return stateOf(element, element[keeps.initial] ?? (keeps.many ? [] : null))
}

function stillHolds(element: SlackJson, state: SlackJson): boolean {
  if (state.type !== element.type) return false
  const { field = '' } = KEEPS[string(element.type)] ?? {}
  const offered = optionsOf(element).map((option) => option.value)
  if (offered.length === 0) return true
  const chosen = Array.isArray(state[field]) ? objects(state[field]) : [state[field]]
  return chosen.filter(isObject).every(({ value }) => offered.includes(value))
}

/** The options of a menu, those in groups included. */
export function optionsOf(element: SlackJson): SlackJson[] {
  return [
    ...objects(element.options),
    ...objects(element.option_groups).flatMap((group) => objects(group.options)),
  ]
}
