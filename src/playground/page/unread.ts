import { useRef } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'

/**
 * Which conversations hold something that their viewer has not had before them.
 *
 * @param open the conversation on the screen; undefined where another page is
 */
export function useUnread(state: WorkspaceState, open: string | undefined): Set<string> {
  const seen = useRef(new Map<string, string>())
  const unread = new Set<string>()
  for (const { id } of state.conversations) {
    const key = `${state.viewer} ${id}`
    const newest = state.messages[id]?.at(-1)?.ts ?? ''
    const last = seen.current.get(key)
    if (last === undefined || id === open) seen.current.set(key, newest)
    else if (newest > last) unread.add(id)
  }
  return unread
}
