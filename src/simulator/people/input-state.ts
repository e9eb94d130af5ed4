import { isInteractive, placedElements } from '../block-kit/placed-elements.ts'
import type { Files, StoredFile } from '../workspace/files.ts'
import { filePayload } from '../app/payloads.ts'
import type { SlackJson, ViewValues } from '../protocol.ts'
import { objects } from '../shared/slack-json.ts'
import {
  holdsMany,
  initialState,
  isOffered,
  hasState,
  toState,
  valueField,
} from '../shared/element-state.ts'

export interface StateContext {
  viewerId: string
  files: Pick<Files, 'get'>
  baseUrl: string
}

/** Builds Slack's `state.values` from the state of each element, or from its initial state if none is given. */
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

/** Drops a choice that the element does not offer. */
export function elementState(
  element: SlackJson,
  given: SlackJson | undefined,
  context: StateContext,
): SlackJson {
  const field = valueField(element)
  if (field === undefined) return { type: element.type }
  const value = (given ?? initialState(element))[field]
  if (element.type === 'file_input') return toState(element, ownFiles(value, context))
  if (holdsMany(element)) {
    const list: unknown[] = Array.isArray(value) ? value : []
    return toState(
      element,
      list.filter((one) => isOffered(element, one)),
    )
  }
  const empty = value === undefined || value === null || value === ''
  return toState(element, empty || !isOffered(element, value) ? null : value)
}

function ownFiles(value: unknown, { viewerId, files, baseUrl }: StateContext): SlackJson[] {
  return objects(value)
    .map(({ id }) => (typeof id === 'string' ? files.get(id) : undefined))
    .filter((file): file is StoredFile => file?.userId === viewerId)
    .map((file) => filePayload(file, baseUrl))
}
