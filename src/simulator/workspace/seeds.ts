import type { Conversation, Person } from '../protocol.ts'

export const TEAM = { id: 'T0PLAYGROUND', domain: 'playground', name: 'Playground' } as const
export const APP = { id: 'A0PLAYGROUND', botId: 'B0PLAYGROUND', userId: 'U0APPBOTUSER' } as const

export const PEOPLE: readonly [Person, Person, Person] = [
  {
    id: 'U0ANAMARTINS',
    name: 'ana',
    realName: 'Ana Martins',
    displayName: 'Ana M.',
    admin: true,
    guest: false,
    tz: 'UTC',
  },
  {
    id: 'U0BENOKAFOR0',
    name: 'ben',
    realName: 'Ben Okafor',
    displayName: '',
    admin: false,
    guest: false,
    tz: 'America/Los_Angeles',
  },
  {
    id: 'U0GILSANTOS0',
    name: 'gil',
    realName: 'Gil Santos',
    displayName: 'Gil',
    admin: false,
    guest: true,
    tz: 'UTC',
  },
]

export function dmId(personId: string): string {
  return `D${personId.slice(1)}`
}

interface ChannelSeed {
  id: string
  name: string
  purpose: string
  appIsMember: boolean
  messages: { by: string; text: string }[]
}

const [{ id: ANA }, { id: BEN }] = PEOPLE

export const CHANNELS: readonly ChannelSeed[] = [
  {
    id: 'C0GENERAL000',
    name: 'general',
    purpose: 'Announcements',
    appIsMember: true,
    messages: [
      { by: ANA, text: 'Good morning! The new office plants have arrived.' },
      { by: BEN, text: 'The fern by the window is already my favorite.' },
    ],
  },
  {
    id: 'C0MARKETING0',
    name: 'marketing',
    purpose: 'Campaigns and links',
    appIsMember: false,
    messages: [
      { by: ANA, text: 'Does anyone have the link to the spring catalog?' },
      {
        by: BEN,
        text: 'Here it is: https://example.com/catalog/2026/spring/plants-and-planters?size=large&color=green&sort=popular#ferns',
      },
      { by: ANA, text: 'Thanks! That’s a long link to put on a poster.' },
    ],
  },
]

export function createConversations(app: { name: string; readOnly: boolean }, changed: () => void) {
  const channels: Conversation[] = CHANNELS.map(({ id, name, purpose, appIsMember }) => ({
    id,
    kind: 'channel',
    name,
    purpose,
    appIsMember,
    readOnly: false,
  }))
  const dms: Conversation[] = PEOPLE.map(({ id }) => ({
    ...app,
    id: dmId(id),
    kind: 'app_dm',
    purpose: '',
    appIsMember: true,
  }))
  const all = [...channels, ...dms]
  const get = (id: string): Conversation | undefined => all.find((one) => one.id === id)
  const listFor = (viewerId: string): Conversation[] =>
    all.filter(({ kind, id }) => kind === 'channel' || id === dmId(viewerId))
  return {
    get,
    listFor,
    findFor: (viewerId: string, id: string) => listFor(viewerId).find((one) => one.id === id),
    setAppMember(id: string, member: boolean): void {
      const conversation = get(id)
      if (conversation?.kind !== 'channel') return
      conversation.appIsMember = member
      changed()
    },
  }
}
