import { useEffect, useState } from 'preact/hooks'
import type { Conversation, WorkspaceState } from '../../simulator/protocol.ts'

/**
 * Returns which page is open: `#channel/{id}`, `#workflow`, `#app/home` or `#app/messages`. This is the URL's fragment,
 * so that reloading and the Back button work.
 */
export function usePlace(): string {
  const [place, setPlace] = useState(location.hash)
  useEffect(() => {
    const changed = (): void => setPlace(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return place
}

export function channelPlace(id: string): string {
  return `#channel/${id}`
}

export function conversationAt({ conversations }: WorkspaceState, place: string): Conversation {
  const found = conversations.find(({ kind, id }) =>
    kind === 'app_dm' ? place.startsWith('#app/') : place === channelPlace(id),
  )
  const first = found ?? conversations[0]
  if (!first) throw new Error('The workspace has no conversations.')
  return first
}
