import { z } from 'zod'
import type { Person } from '../protocol.ts'
import { APP, PEOPLE, TEAM } from '../workspace/seeds.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { method } from './method.ts'

const listArgs = z.object({
  limit: z.coerce.number().int().min(1).max(1_000),
  cursor: z.string().optional(),
})

export const lookupMethods = {
  'auth.test': method(undefined, z.object({}), ({ baseUrl, manifest }) => ({
    url: `${baseUrl()}/`,
    team: TEAM.name,
    user: manifest.display_information.name.toLowerCase(),
    team_id: TEAM.id,
    user_id: APP.userId,
    bot_id: APP.botId,
    is_enterprise_install: false,
  })),

  'users.info': method('users:read', z.object({ user: z.string() }), (_parts, { user: id }) => {
    const person = PEOPLE.find((listed) => listed.id === id)
    if (!person) throw new SlackRefusal('user_not_found')
    return { user: userPayload(person) }
  }),

  'users.list': method('users:read', listArgs, (_parts, { limit, cursor = '0' }) => {
    const end = Number(cursor) + limit
    return {
      members: PEOPLE.slice(Number(cursor), end).map(userPayload),
      response_metadata: { next_cursor: end < PEOPLE.length ? String(end) : '' },
    }
  }),
}

export function userPayload(person: Person): Record<string, unknown> {
  const { id, name, realName, displayName, tz, admin, guest } = person
  return {
    id,
    team_id: TEAM.id,
    name,
    deleted: false,
    profile: { real_name: realName, display_name: displayName, team: TEAM.id },
    real_name: realName,
    tz,
    is_admin: admin,
    is_owner: admin,
    is_restricted: guest,
    is_ultra_restricted: false,
  }
}
