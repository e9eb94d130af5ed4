import { useReducer, useRef } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import {
  canKeepState,
  initialState,
  mapStates,
  withState,
} from '../../../simulator/shared/element-state.ts'

export type HeldValues = ReturnType<typeof useHeldValues>

export function useHeldValues(blocks: readonly SlackJson[]) {
  const values = useRef<ViewValues>({})
  const [, rerender] = useReducer<number, undefined>((count) => count + 1, 0)
  values.current = reconcile(blocks, values.current)
  return {
    values,
    hold: (blockId: string, element: SlackJson, state: SlackJson): void => {
      values.current = withState(values.current, blockId, element, state)
      rerender(undefined)
    },
  }
}

/** When the app redraws the blocks, each element that still offers what a person has entered keeps its state. */
export function reconcile(blocks: readonly SlackJson[], held: ViewValues): ViewValues {
  return mapStates(blocks, held, (element, earlier) =>
    earlier && canKeepState(element, earlier) ? earlier : initialState(element),
  )
}
