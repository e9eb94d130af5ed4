import { isDeepStrictEqual } from 'node:util'
import { isInteractive, jsonList, placedElements, type PlacedElement } from '../block-kit/walk.ts'
import type { Files, StoredFile } from '../files.ts'
import { filePayload } from '../payloads.ts'
import type { SlackJson, ViewValues } from '../protocol.ts'

/** How an element keeps what was put into it: the state's field, and the field it begins with. */
const KEEPS: Record<string, { field: string; initial: string; many?: boolean }> = {
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
  file_input: { field: 'files', initial: 'files', many: true },
}

/** What a state may refer to: a file must be the person's own. */
export interface StateContext {
  viewerId: string
  files: Pick<Files, 'get'>
  baseUrl: string
}

/**
 * The values of a view or message as Slack sends them: every element that keeps one, with what
 * the person put in, or else what it began with. Whatever else was given is left out.
 */
export function stateValues(
  blocks: readonly SlackJson[],
  given: ViewValues,
  context: StateContext,
): ViewValues {
  const values: ViewValues = {}
  for (const { block, element } of placedElements(blocks)) {
    if (!isInteractive(element) || !keepsState(element)) continue
    const blockId = String(block.block_id)
    const actionId = String(element.action_id)
    const state = elementState(element, given[blockId]?.[actionId], context)
    values[blockId] = { ...values[blockId], [actionId]: state }
  }
  return values
}

export function keepsState(element: SlackJson): boolean {
  return Object.hasOwn(KEEPS, String(element.type))
}

/** One element's state; a choice that it does not offer counts as none. */
export function elementState(
  element: SlackJson,
  given: SlackJson | undefined,
  context: StateContext,
): SlackJson {
  const type = String(element.type)
  const keeps = KEEPS[type]
  if (!keeps) return { type }
  const { field, initial, many = false } = keeps
  const held = given ? given[field] : element[initial]
  if (type === 'file_input') return { type, files: filesOf(held, context) }
  if (many) {
    const list: unknown[] = Array.isArray(held) ? held : []
    return { type, [field]: list.filter((one) => isOffered(element, one)) }
  }
  const empty = held === undefined || held === null || held === ''
  return { type, [field]: empty || !isOffered(element, held) ? null : held }
}

function isOffered(element: SlackJson, value: unknown): boolean {
  const options = [
    ...jsonList(element.options),
    ...jsonList(element.option_groups).flatMap((group) => jsonList(group.options)),
  ]
  return options.length > 0
    ? options.some((option) => isDeepStrictEqual(option, value))
    : typeof value === 'string'
}

function filesOf(held: unknown, { viewerId, files, baseUrl }: StateContext): SlackJson[] {
  return jsonList(held)
    .map(({ id }) => (typeof id === 'string' ? files.get(id) : undefined))
    .filter((file): file is StoredFile => file?.userId === viewerId)
    .map((file) => filePayload(file, baseUrl))
}

/** An element, and the block that it stands in, by their ids. */
export function findElement(
  blocks: readonly SlackJson[],
  blockId: string,
  actionId: unknown,
): PlacedElement | undefined {
  return placedElements(blocks).find(
    ({ block, element }) => block.block_id === blockId && element.action_id === actionId,
  )
}
