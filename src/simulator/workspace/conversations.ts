import type { Conversation } from '../protocol.ts'
import { CHANNELS, dmId, PEOPLE } from './seeds.ts'

export type Conversations = ReturnType<typeof createConversations>

/** The channels, and each person's direct messages with the app. */
export function createConversations(app: { name: string; readOnly: boolean }, changed: () => void) {
  const channels: Conversation[] = CHANNELS.map(({ id, name, purpose, appIsMember }) => ({
    id,
    kind: 'channel',
    name,
    purpose,
    appIsMember,
    readOnly: false,
  }))
  const dms = new Map(
    PEOPLE.map(({ id }): [string, Conversation] => [
      id,
      { ...app, id: dmId(id), kind: 'app_dm', purpose: '', appIsMember: true },
    ]),
  )
  /** All conversations of a person. Everyone is in every channel. */
  const of = (viewerId: string): Conversation[] => [
    ...channels,
    ...[dms.get(viewerId)].filter((dm) => dm !== undefined),
  ]
  const all = new Map([...channels, ...dms.values()].map((one) => [one.id, one]))
  return {
    get: (id: string) => all.get(id),
    of,
    /** One of a person's conversations. */
    seenBy: (viewerId: string, id: string) => of(viewerId).find((one) => one.id === id),
    setAppMember(id: string, member: boolean): void {
      const conversation = all.get(id)
      if (conversation?.kind !== 'channel') return
      conversation.appIsMember = member
      changed()
    },
  }
}
