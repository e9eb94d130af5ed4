import type { Parts } from '../parts.ts'
import { chatMethods } from './chat.ts'
import { fileMethods } from './files.ts'
import { functionMethods } from './functions.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import type { Method } from './method.ts'
import { lookupMethods } from './lookups.ts'
import { viewMethods } from './views.ts'

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
  const method = METHODS.get(name)
  const scope = method?.scope
  const grant = token === undefined ? 'not_authed' : parts.grants.check(token)
  const provided = typeof grant === 'string' ? '' : [...grant.scopes].join(',')
  const lacking = { needed: scope, provided }
  const result = parts.refusals.catch(name, () => {
    if (typeof grant === 'string') throw new SlackRefusal(grant)
    if (!method) throw new SlackRefusal('unknown_method')
    if (scope !== undefined && !grant.scopes.has(scope)) {
      throw new SlackRefusal(MISSING_SCOPE, [`needed: ${scope}`, `provided: ${provided}`])
    }
    return method.run(parts, args)
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
