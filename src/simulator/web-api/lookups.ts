import { z } from 'zod'
import type { Person } from '../protocol.ts'
import { APP, PEOPLE } from '../workspace/seeds.ts'
import type { Team } from '../app/team.ts'
import { method, SlackRefusal, type Method } from './method.ts'

/** Methods that look up people and conversations. */
export const lookupMethods: Record<string, Method> = {
  'auth.test': method(z.object({}), ({ baseUrl, manifest, team }) => ({
    url: `${baseUrl()}/`,
    team: team.name,
    user: manifest.display_information.name.toLowerCase(),
    team_id: team.id,
    user_id: APP.userId,
    bot_id: APP.botId,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
    is_enterprise_install: team.enterprise?.orgWide ?? false,
  })),

  'users.info': method(
    z.object({ user: z.string() }),
    ({ team, deactivated }, { user }) => ({
      user: { ...userPayload(person(user), team), deleted: deactivated.has(user) },
    }),
    'users:read',
  ),

  'users.list': method(
    z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(1000),
      cursor: z.coerce.number().int().min(0).default(0),
    }),
    ({ team, deactivated }, { limit, cursor: start }) => {
      const end = start + limit
      const members = PEOPLE.slice(start, end).map((one) => ({
        ...userPayload(one, team),
        deleted: deactivated.has(one.id),
      }))
      return {
        members,
        response_metadata: { next_cursor: end < PEOPLE.length ? String(end) : '' },
      }
    },
    'users:read',
  ),
}

function person(id: string): Person {
  const found = PEOPLE.find((one) => one.id === id)
  if (!found) throw new SlackRefusal('user_not_found')
  return found
}

function userPayload(
  { id, name, realName, admin, guest }: Person,
  { enterprise, id: teamId }: Team,
): Record<string, unknown> {
  const isOrgAdmin = enterprise?.admins?.includes(id) ?? false
  return {
    id,
    team_id: teamId,
    name,
    real_name: realName,
    tz: 'Etc/UTC',
    tz_label: 'UTC',
    tz_offset: 0,
    profile: {
      real_name: realName,
      real_name_normalized: realName,
      display_name: name,
      display_name_normalized: name,
      team: teamId,
    },
    is_admin: admin,
    is_owner: admin,
    is_primary_owner: admin,
    is_restricted: guest,
    is_ultra_restricted: false,
    is_bot: false,
    is_app_user: false,
    ...(enterprise && {
      enterprise_user: {
        id,
        enterprise_id: enterprise.id,
        enterprise_name: enterprise.name,
        is_admin: isOrgAdmin,
        is_owner: isOrgAdmin,
        is_primary_owner: isOrgAdmin,
        teams: [teamId],
      },
    }),
    updated: 0,
  }
}
