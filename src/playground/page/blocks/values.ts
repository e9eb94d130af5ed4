import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { isObject, objects, string } from '../../shared/json.ts'
import { initialState, keepsState, stillHolds } from '../../shared/element-state.ts'

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
      values[blockId] = { ...values[blockId], [actionId]: state }
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
  return [block.element, block.accessory, ...inActions].filter(isObject).filter(keepsState)
}
