import type { SlackJson } from '../../simulator/protocol.ts'
import { sameJson } from './same-json.ts'

/*
 * What an element holds, for the page that people fill in and for the simulation that tells the
 * app of it: the two must never differ.
 */

/** How an element keeps what was put into it: the state's field, and the field it begins with. */
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

export function keepsState(element: SlackJson): boolean {
  return Object.hasOwn(KEEPS, String(element.type))
}

/** Whether an element may hold several values. */
export function holdsMany(element: SlackJson): boolean {
  return keepsOf(element)?.many === true
}

/** The field of an element's state that holds its value; undefined for one that keeps none. */
export function valueField(element: SlackJson): string | undefined {
  return keepsOf(element)?.field
}

/** An element's state with this value. */
export function stateOf(element: SlackJson, value: unknown): SlackJson {
  return { type: element.type, [valueField(element) ?? 'value']: value }
}

/** What an element begins with. */
export function initialState(element: SlackJson): SlackJson {
  const { initial = '', many = false } = keepsOf(element) ?? {}
  return stateOf(element, element[initial] ?? (many ? [] : null))
}

/** The options of a menu, those in groups included. */
export function optionsOf(element: SlackJson): SlackJson[] {
  return [
    ...objects(element.options),
    ...objects(element.option_groups).flatMap((group) => objects(group.options)),
  ]
}

/**
 * Whether a value can be chosen in an element. An option is the same to the letter: one whose
 * words have changed is another, though its value stays.
 */
export function isOffered(element: SlackJson, value: unknown): boolean {
  const options = optionsOf(element)
  return options.length > 0
    ? options.some((option) => sameJson(option, value))
    : typeof value === 'string'
}

/** Whether an element that was changed still holds what was put into it before. */
export function stillHolds(element: SlackJson, state: SlackJson): boolean {
  if (state.type !== element.type) return false
  if (optionsOf(element).length === 0) return true
  const held = state[valueField(element) ?? '']
  const chosen: unknown[] = Array.isArray(held) ? held : [held ?? []].flat()
  return chosen.every((one) => isOffered(element, one))
}

function keepsOf({ type }: SlackJson) {
  const name = String(type)
  return Object.hasOwn(KEEPS, name) ? KEEPS[name] : undefined
}

function objects(value: unknown): SlackJson[] {
  return Array.isArray(value)
    ? value.filter(
        (one): one is SlackJson => typeof one === 'object' && one !== null && !Array.isArray(one),
      )
    : []
}
