import { useReducer, useRef } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import {
  canKeepState,
  initialState,
  mapStates,
  withState,
} from '../../../simulator/shared/element-state.ts'

/** What contains blocks. `hold` stores what a person has entered in an element, and `use` sends it to the app. */
export interface Surface {
  values: ViewValues
  errors: Record<string, string>
  hold: (blockId: string, element: SlackJson, state: SlackJson) => void
  use: (blockId: string, element: SlackJson, outcome: SlackJson) => void
}

export interface ControlProps {
  element: SlackJson
  value: unknown
  field: Field
  change: (value: unknown) => void
}

export interface Field {
  id: string
  name: string
  describedBy?: string | undefined
  required: boolean
  /** True if a person can remove the choice again, as in an optional input. */
  clearable: boolean
  invalid: boolean
}

export function fieldAttributes(element: SlackJson, field: Field) {
  return {
    id: field.id,
    'aria-label': field.name,
    'aria-describedby': field.describedBy,
    'aria-required': field.required,
    'aria-invalid': field.invalid,
    'data-focus-on-load': element.focus_on_load === true,
  }
}

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
