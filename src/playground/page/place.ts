import type { Conversation, WorkspaceState } from '../protocol.ts'

/** Where someone is in the workspace. The app's own conversation differs from person to person. */
export type Place = { kind: 'channel'; id: string } | { kind: 'app'; tab: 'home' | 'messages' }

/** The place that an address's fragment names. */
export function placeOf(hash: string): Place | undefined {
  const [, kind, rest = ''] = /^#(channel|app)\/(\w+)$/.exec(hash) ?? []
  if (kind === 'channel') return { kind, id: rest }
  if (kind === 'app' && (rest === 'home' || rest === 'messages')) return { kind, tab: rest }
  return undefined
}

export function hashOf(place: Place): string {
  return place.kind === 'channel' ? `#channel/${place.id}` : `#app/${place.tab}`
}

/** The conversation that stands at a place, the first channel where it is gone. */
export function conversationAt(state: WorkspaceState, place: Place | undefined): Conversation {
  const { conversations } = state
  const found = conversations.find((one) =>
    place?.kind === 'app' ? one.kind === 'app_dm' : one.id === place?.id,
  )
  const first = found ?? conversations[0]
  if (!first) throw new Error('A workspace without a conversation has no place to be.')
  return first
}
