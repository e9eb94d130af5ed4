import { isInteractive, placedElements, type PlacedElement } from '../block-kit/placed-elements.ts'
import type { Files, StoredFile } from '../workspace/files.ts'
import { filePayload } from '../app/payloads.ts'
import type { SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../../playground/shared/json.ts'
import {
  holdsMany,
  initialState,
  isOffered,
  keepsState,
  stateOf,
  valueField,
} from '../../playground/shared/element-state.ts'

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

/** One element's state; a choice that it does not offer counts as none. */
export function elementState(
  element: SlackJson,
  given: SlackJson | undefined,
  context: StateContext,
): SlackJson {
  const field = valueField(element)
  if (field === undefined) return { type: element.type }
  const held = (given ?? initialState(element))[field]
  if (element.type === 'file_input') return stateOf(element, filesOf(held, context))
  if (holdsMany(element)) {
    const list: unknown[] = Array.isArray(held) ? held : []
    return stateOf(
      element,
      list.filter((one) => isOffered(element, one)),
    )
  }
  const empty = held === undefined || held === null || held === ''
  return stateOf(element, empty || !isOffered(element, held) ? null : held)
}

function filesOf(held: unknown, { viewerId, files, baseUrl }: StateContext): SlackJson[] {
  return objects(held)
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
