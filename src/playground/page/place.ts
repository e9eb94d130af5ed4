import type { Conversation, WorkspaceState } from '../../simulator/protocol.ts'

/** Where someone is in the workspace. The app's own conversation differs from person to person. */
export type Place =
  | { kind: 'channel'; id: string }
  | { kind: 'app'; tab: 'home' | 'messages' }
  /** Where the app's steps for workflows are tried out. */
  | { kind: 'workflow' }

/** The place that an address's fragment names. */
export function placeOf(hash: string): Place | undefined {
  if (hash === '#workflow') return { kind: 'workflow' }
  const [, kind, rest = ''] = /^#(channel|app)\/(\w+)$/.exec(hash) ?? []
  if (kind === 'channel') return { kind, id: rest }
  if (kind === 'app' && (rest === 'home' || rest === 'messages')) return { kind, tab: rest }
  return undefined
}

export function hashOf(place: Place): string {
  switch (place.kind) {
    case 'channel':
      return `#channel/${place.id}`
    case 'app':
      return `#app/${place.tab}`
    case 'workflow':
      return '#workflow'
  }
}

/** The conversation that stands at a place, the first channel where it is gone. */
export function conversationAt(state: WorkspaceState, place: Place | undefined): Conversation {
  const { conversations } = state
  const found = conversations.find((one) =>
    place?.kind === 'app' ? one.kind === 'app_dm' : place && 'id' in place && one.id === place.id,
  )
  const first = found ?? conversations[0]
  if (!first) throw new Error('A workspace without a conversation has no place to be.')
  return first
}
