import { useLayoutEffect, useReducer } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { hasState, initialState, stillHolds } from '../../../simulator/shared/element-state.ts'
import { isObject, objects, string } from '../../../simulator/shared/slack-json.ts'

export type HeldValues = ReturnType<typeof createHeldValues>

/**
 * The values that people have put into elements, by view or message. Keeps them while their view is
 * not on the screen, such as a modal below another. Reading the values reconciles them with the
 * blocks, so that an input that was removed starts over.
 */
export function createHeldValues() {
  const held = new Map<string, ViewValues>()
  const watchers = new Map<string, Set<() => void>>()
  return {
    /** The current values of a view. */
    of(key: string, blocks: readonly SlackJson[]): ViewValues {
      const values = reconcile(blocks, held.get(key) ?? {})
      held.set(key, values)
      return values
    },
    hold(key: string, blockId: string, element: SlackJson, state: SlackJson): void {
      held.set(key, withState(held.get(key) ?? {}, blockId, element, state))
      watchers.get(key)?.forEach((changed) => changed())
    },
    /** Calls back after every change of a view's values, until the returned function is called. */
    watch(key: string, changed: () => void): () => void {
      const all = watchers.get(key) ?? new Set()
      watchers.set(key, all.add(changed))
      return () => {
        all.delete(changed)
        if (all.size === 0) watchers.delete(key)
      }
    },
  }
}

/** The current values of a view. A change rerenders only the component that calls this. */
export function useHeldValues(
  held: HeldValues,
  key: string,
  blocks: readonly SlackJson[],
): ViewValues {
  const [, rerender] = useReducer<number, undefined>((count) => count + 1, 0)
  useLayoutEffect(() => held.watch(key, () => rerender(undefined)), [held, key])
  return held.of(key, blocks)
}

/**
 * The values after an app has changed the blocks. An element keeps its state if its block_id,
 * action_id and type are the same and it still offers the choice. Others have their initial state.
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
  return [block.element, block.accessory, ...inActions].filter(isObject).filter(hasState)
}
