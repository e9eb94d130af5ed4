import type { Conversation } from '../protocol.ts'
import { CHANNELS, dmId, PEOPLE } from './seeds.ts'

/** The channels, and each person's direct messages with the app. */
export interface Conversations {
  get(id: string): Conversation | undefined
  /** All conversations of a person. Everyone is in every channel. */
  of(viewerId: string): Conversation[]
  /** One of a person's conversations. */
  seenBy(viewerId: string, id: string): Conversation | undefined
  setAppMember(id: string, member: boolean): void
}

export function createConversations(
  app: { name: string; readOnly: boolean },
  changed: () => void,
): Conversations {
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
  const of = (viewerId: string): Conversation[] => [
    ...channels,
    ...[dms.get(viewerId)].filter((dm) => dm !== undefined),
  ]
  const all = new Map([...channels, ...dms.values()].map((one) => [one.id, one]))
  return {
    get: (id) => all.get(id),
    of,
    seenBy: (viewerId, id) => of(viewerId).find((one) => one.id === id),
    setAppMember(id, member) {
      const conversation = all.get(id)
      if (conversation?.kind !== 'channel') return
      conversation.appIsMember = member
      changed()
    },
  }
}
