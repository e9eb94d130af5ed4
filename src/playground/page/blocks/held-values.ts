import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { reconcile, withState } from './values.ts'

/** What people have put into elements, by the view or message that these stand in. */
export interface HeldValues {
  /** The values of a view as it is now. */
  of: (key: string, blocks: readonly SlackJson[]) => ViewValues
  hold: (key: string, blockId: string, element: SlackJson, state: SlackJson) => void
  /** Calls back whenever one of a view's values is held, until the returned function is called. */
  watch: (key: string, changed: () => void) => () => void
}

/**
 * Keeps values outside of what is drawn: a modal below another has its own when it comes back.
 * Reading them brings them up to date with the blocks, so that an input which was taken away and
 * comes back begins anew.
 */
export function createHeldValues(): HeldValues {
  const held = new Map<string, ViewValues>()
  const watchers = new Map<string, Set<() => void>>()
  return {
    of(key, blocks) {
      const values = reconcile(blocks, held.get(key) ?? {})
      held.set(key, values)
      return values
    },
    hold(key, blockId, element, state) {
      held.set(key, withState(held.get(key) ?? {}, blockId, element, state))
      watchers.get(key)?.forEach((changed) => changed())
    },
    watch(key, changed) {
      const all = watchers.get(key) ?? new Set()
      watchers.set(key, all.add(changed))
      return () => {
        all.delete(changed)
        if (all.size === 0) watchers.delete(key)
      }
    },
  }
}
