import { isInteractive, placedElements, type PlacedElement } from '../block-kit/placed-elements.ts'
import type { Files, StoredFile } from '../workspace/files.ts'
import { filePayload } from '../app/payloads.ts'
import type { SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../shared/slack-json.ts'
import {
  holdsMany,
  initialState,
  isOffered,
  hasState,
  stateOf,
  valueField,
} from '../shared/element-state.ts'

/** What a state can refer to. A file must be the person's own. */
interface StateContext {
  viewerId: string
  files: Pick<Files, 'get'>
  baseUrl: string
}

/**
 * The values of a view or message as Slack sends them: every element that has a state, as the
 * person left it, or else its initial one. Other given values are ignored.
 */
export function stateValues(
  blocks: readonly SlackJson[],
  given: ViewValues,
  context: StateContext,
): ViewValues {
  const values: ViewValues = {}
  for (const { block, element } of placedElements(blocks)) {
    if (!isInteractive(element) || !hasState(element)) continue
    const blockId = String(block.block_id)
    const actionId = String(element.action_id)
    const state = elementState(element, given[blockId]?.[actionId], context)
    values[blockId] = { ...values[blockId], [actionId]: state }
  }
  return values
}

/** An element's state. A choice that the element does not offer is dropped. */
export function elementState(
  element: SlackJson,
  given: SlackJson | undefined,
  context: StateContext,
): SlackJson {
  const field = valueField(element)
  if (field === undefined) return { type: element.type }
  const value = (given ?? initialState(element))[field]
  if (element.type === 'file_input') return stateOf(element, filesOf(value, context))
  if (holdsMany(element)) {
    const list: unknown[] = Array.isArray(value) ? value : []
    return stateOf(
      element,
      list.filter((one) => isOffered(element, one)),
    )
  }
  const empty = value === undefined || value === null || value === ''
  return stateOf(element, empty || !isOffered(element, value) ? null : value)
}

function filesOf(value: unknown, { viewerId, files, baseUrl }: StateContext): SlackJson[] {
  return objects(value)
    .map(({ id }) => (typeof id === 'string' ? files.get(id) : undefined))
    .filter((file): file is StoredFile => file?.userId === viewerId)
    .map((file) => filePayload(file, baseUrl))
}

/** Finds an element, and the block that contains it, by their ids. */
export function findElement(
  blocks: readonly SlackJson[],
  blockId: string,
  actionId: unknown,
): PlacedElement | undefined {
  return placedElements(blocks).find(
    ({ block, element }) => block.block_id === blockId && element.action_id === actionId,
  )
}
