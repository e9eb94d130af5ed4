import { z } from 'zod'
import type { Parts } from '../parts.ts'
import type { Person } from '../protocol.ts'
import { APP, PEOPLE } from '../workspace/seeds.ts'
import { method, SlackRefusal } from './method.ts'

export const lookupMethods = {
  'auth.test': method(undefined, z.object({}), ({ baseUrl, manifest, team }) => ({
    url: `${baseUrl()}/`,
    team: team.name,
    user: manifest.display_information.name.toLowerCase(),
    team_id: team.id,
    user_id: APP.userId,
    bot_id: APP.botId,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
    is_enterprise_install: team.enterprise?.orgWide ?? false,
  })),

  'users.info': method('users:read', z.object({ user: z.string() }), (parts, { user: id }) => {
    const person = PEOPLE.find((one) => one.id === id)
    if (!person) throw new SlackRefusal('user_not_found')
    return { user: userPayload(person, parts) }
  }),

  'users.list': method(
    'users:read',
    z.object({ limit: z.coerce.number().int().min(1).max(1_000), cursor: z.string().optional() }),
    (parts, { limit, cursor = '0' }) => {
      const end = Number(cursor) + limit
      return {
        members: PEOPLE.slice(Number(cursor), end).map((person) => userPayload(person, parts)),
        response_metadata: { next_cursor: end < PEOPLE.length ? String(end) : '' },
      }
    },
  ),
}

export function userPayload(
  { id, name, realName, displayName, tz, ...seed }: Person,
  { team: { enterprise, id: teamId }, accounts }: Parts,
): Record<string, unknown> {
  const { admin, guest, deactivated = false } = { ...seed, ...accounts.get(id) }
  const isOrgAdmin = enterprise?.admins?.includes(id) ?? false
  return {
    id,
    team_id: teamId,
    name,
    deleted: deactivated,
    profile: { real_name: realName, display_name: displayName, team: teamId },
    // Slack says nothing else about people whose accounts were deactivated.
    ...(!deactivated && {
      ...{ real_name: realName, tz, is_admin: admin, is_owner: admin },
      ...{ is_restricted: guest, is_ultra_restricted: false },
    }),
    ...(enterprise && {
      enterprise_user: {
        id,
        enterprise_id: enterprise.id,
        is_admin: isOrgAdmin,
        is_owner: isOrgAdmin,
        teams: [teamId],
      },
    }),
  }
}
