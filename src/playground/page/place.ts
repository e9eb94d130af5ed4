import { useEffect, useState } from 'preact/hooks'
import type { Conversation, WorkspaceState } from '../../simulator/protocol.ts'

/** A place in the workspace. The app's own conversation differs from person to person. */
export type Place =
  | { kind: 'channel'; id: string }
  | { kind: 'app'; tab: 'home' | 'messages' }
  /** The page for trying the app's steps for workflows. */
  | { kind: 'workflow' }

/** The place in the URL, so that reloading and the browser's Back work as expected. */
export function usePlace(): Place | undefined {
  const [place, setPlace] = useState(() => parsePlace(location.hash))
  useEffect(() => {
    const changed = (): void => setPlace(parsePlace(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return place
}

export function parsePlace(hash: string): Place | undefined {
  if (hash === '#workflow') return { kind: 'workflow' }
  const [, kind, rest = ''] = /^#(channel|app)\/(\w+)$/.exec(hash) ?? []
  if (kind === 'channel') return { kind, id: rest }
  if (kind === 'app' && (rest === 'home' || rest === 'messages')) return { kind, tab: rest }
  return undefined
}

export function hashOf(place: Place): string {
  if (place.kind === 'workflow') return '#workflow'
  return place.kind === 'channel' ? `#channel/${place.id}` : `#app/${place.tab}`
}

/** The conversation at a place, or else the first channel. */
export function conversationAt(state: WorkspaceState, place: Place | undefined): Conversation {
  const { conversations } = state
  const found = conversations.find((one) =>
    place?.kind === 'app' ? one.kind === 'app_dm' : place && 'id' in place && one.id === place.id,
  )
  const first = found ?? conversations[0]
  if (!first) throw new Error('The workspace has no conversations.')
  return first
}
