import { z } from 'zod'
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
    return { user: person }
  }),

  'users.list': method('users:read', listArgs, (_parts, { limit, cursor = '0' }) => {
    const end = Number(cursor) + limit
    return {
      members: PEOPLE.slice(Number(cursor), end),
      response_metadata: { next_cursor: end < PEOPLE.length ? String(end) : '' },
    }
  }),
}
