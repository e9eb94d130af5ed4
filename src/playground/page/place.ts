import { useEffect, useState } from 'preact/hooks'
import type { Conversation, WorkspaceState } from '../../simulator/protocol.ts'

/** The URL's fragment says what is open: `#channel/{id}`, `#workflow`, `#app/home` or `#app/messages`. */
export function usePlace(): string {
  const [place, setPlace] = useState(location.hash)
  useEffect(() => {
    const update = (): void => setPlace(location.hash)
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return place
}

export function channelPlace(id: string): string {
  return `#channel/${id}`
}

export function conversationAt({ conversations }: WorkspaceState, place: string): Conversation {
  const conversation =
    conversations.find(({ kind, id }) =>
      kind === 'app_dm' ? place.startsWith('#app/') : place === channelPlace(id),
    ) ?? conversations[0]
  if (!conversation) throw new Error('The workspace has no conversations.')
  return conversation
}
