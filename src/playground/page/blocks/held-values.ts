import { useReducer, useRef } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../protocol.ts'
import { reconcile, withState } from './values.ts'

/** What people have put into elements, by the view or message that these stand in. */
export interface HeldValues {
  /** The values of a view as it is now. */
  of: (key: string, blocks: readonly SlackJson[]) => ViewValues
  hold: (key: string, blockId: string, element: SlackJson, state: SlackJson) => void
}

/**
 * Keeps values outside of what is drawn: a modal below another has its own when it comes back.
 * Reading them brings them up to date with the blocks, so that an input which was taken away and
 * comes back begins anew.
 */
export function useHeldValues(): HeldValues {
  const held = useRef(new Map<string, ViewValues>())
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0)
  return {
    of(key, blocks) {
      const values = reconcile(blocks, held.current.get(key) ?? {})
      held.current.set(key, values)
      return values
    },
    hold(key, blockId, element, state) {
      held.current.set(key, withState(held.current.get(key) ?? {}, blockId, element, state))
      redraw(undefined)
    },
  }
}
