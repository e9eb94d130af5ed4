import { z } from 'zod'
import type { Parts } from '../parts.ts'
import { chatMethods } from './chat.ts'
import { fileMethods } from './files.ts'
import { functionMethods } from './functions.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { APP, PEOPLE, TEAM } from '../workspace/seeds.ts'
import { method, type Method } from './method.ts'
import { viewMethods } from './views.ts'

const listArgs = z.object({
  limit: z.coerce.number().int().min(1).max(1_000),
  cursor: z.string().optional(),
})

const lookupMethods = {
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

const METHODS = new Map<string, Method>(
  Object.entries({
    ...viewMethods,
    ...chatMethods,
    ...lookupMethods,
    ...fileMethods,
    ...functionMethods,
  }),
)

export interface ApiCall {
  method: string
  token: string | undefined
  args: Record<string, unknown>
}

export interface ApiResponse {
  headers: Record<string, string>
  body: Record<string, unknown>
}

export function callApi(parts: Parts, { method: name, token, args }: ApiCall): ApiResponse {
  const called = METHODS.get(name)
  const scope = called?.scope
  const grant = token === undefined ? 'not_authed' : parts.grants.check(token)
  const provided = typeof grant === 'string' ? '' : [...grant.scopes].join(',')
  const lacking = { needed: scope, provided }
  const result = parts.refusals.catch(name, () => {
    if (typeof grant === 'string') throw new SlackRefusal(grant)
    if (!called) throw new SlackRefusal('unknown_method')
    if (scope !== undefined && !grant.scopes.has(scope)) {
      throw new SlackRefusal(MISSING_SCOPE, [`needed: ${scope}`, `provided: ${provided}`])
    }
    return called.run(parts, args)
  })
  return {
    body:
      result instanceof SlackRefusal
        ? { ...refusalBody(result), ...(result.code === MISSING_SCOPE && lacking) }
        : { ok: true, ...result },
    headers: {
      'x-oauth-scopes': provided,
      ...(scope !== undefined && { 'x-accepted-oauth-scopes': scope }),
    },
  }
}

const MISSING_SCOPE = 'missing_scope'

function refusalBody({ code, details }: SlackRefusal): Record<string, unknown> {
  const messages = details.filter((line) => line.startsWith('[ERROR] '))
  return {
    ok: false,
    error: code,
    ...(messages.length > 0 && {
      errors: messages.map((line) => line.replace(/^\[ERROR\] /, '')),
      response_metadata: { messages },
    }),
  }
}
