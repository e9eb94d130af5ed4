import type { Conversation, Person, SlackJson } from '../protocol.ts'

export const TEAM = { id: 'T0PLAYGROUND', domain: 'playground', name: 'Playground' } as const
export const APP = { id: 'A0PLAYGROUND', botId: 'B0PLAYGROUND', userId: 'U0APPBOTUSER' } as const

export const PEOPLE: readonly [Person, Person, Person] = [
  person('U0ANAMARTINS', 'ana', 'Ana Martins', 'Ana M.', { is_admin: true, is_owner: true }),
  person('U0BENOKAFOR0', 'ben', 'Ben Okafor', '', { tz: 'America/Los_Angeles' }),
  person('U0GILSANTOS0', 'gil', 'Gil Santos', 'Gil', { is_restricted: true }),
]

function person(
  id: string,
  name: string,
  realName: string,
  displayName: string,
  more: Partial<Person>,
): Person {
  return {
    id,
    team_id: TEAM.id,
    name,
    deleted: false,
    profile: { real_name: realName, display_name: displayName, team: TEAM.id },
    real_name: realName,
    tz: 'UTC',
    is_admin: false,
    is_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    ...more,
  }
}

export function dmId(personId: string): string {
  return `D${personId.slice(1)}`
}

const ANA = PEOPLE[0].id
const BEN = PEOPLE[1].id
const GENERAL = 'C0GENERAL000'
const MARKETING = 'C0MARKETING0'

export const CHANNELS: readonly Conversation[] = [
  { id: GENERAL, kind: 'channel', name: 'general', purpose: 'Announcements', appIsMember: true },
  {
    id: MARKETING,
    kind: 'channel',
    name: 'marketing',
    purpose: 'Campaigns and links',
    appIsMember: false,
  },
]

export const FIRST_MESSAGES = [
  { in: GENERAL, by: ANA, text: 'Good morning! The new office plants have arrived.' },
  { in: GENERAL, by: BEN, text: 'The fern by the window is already my favorite.' },
  { in: MARKETING, by: ANA, text: 'Does anyone have the link to the spring catalog?' },
  {
    in: MARKETING,
    by: BEN,
    text: 'Here it is: https://example.com/catalog/2026/spring/plants-and-planters?size=large&color=green&sort=popular#ferns',
  },
  { in: MARKETING, by: ANA, text: 'Thanks! That’s a long link to put on a poster.' },
]

export function createConversations(appName: string) {
  const dms: Conversation[] = PEOPLE.map(({ id }) => ({
    id: dmId(id),
    kind: 'app_dm',
    name: appName,
    purpose: `Your direct messages with ${appName}`,
    appIsMember: true,
  }))
  const all = [...CHANNELS.map((channel) => ({ ...channel })), ...dms]
  const get = (id: string) => all.find((conversation) => conversation.id === id)
  const listFor = (viewerId: string): Conversation[] =>
    all.filter(({ kind, id }) => kind === 'channel' || id === dmId(viewerId))
  return {
    get,
    listFor,
    findFor: (viewerId: string, id: string) =>
      listFor(viewerId).find((conversation) => conversation.id === id),
    setAppMember(id: string, member: boolean): void {
      const conversation = get(id)
      if (conversation?.kind === 'channel') conversation.appIsMember = member
    },
  }
}

export function channelPayload({ id, kind, name }: Conversation): SlackJson {
  return { id, name: kind === 'app_dm' ? 'directmessage' : name }
}
