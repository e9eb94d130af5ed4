import type { Parts } from '../parts.ts'
import { chatMethods, unfurlMethods } from './chat.ts'
import { fileMethods } from './files.ts'
import { functionMethods } from './functions.ts'
import { SlackRefusal, type Method } from './method.ts'
import { lookupMethods } from './lookups.ts'
import { viewMethods } from './views.ts'

const METHODS = new Map<string, Method>(
  Object.entries({
    ...viewMethods,
    ...chatMethods,
    ...lookupMethods,
    ...fileMethods,
    ...functionMethods,
    ...unfurlMethods,
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
  const grant = token === undefined ? 'not_authed' : parts.grants.check(token)
  const scopes = typeof grant === 'string' ? new Set<string>() : grant.scopes
  const provided = [...scopes].join(',')
  const scope = method?.scope
  try {
    if (typeof grant === 'string') throw new SlackRefusal(grant)
    if (!method) throw new SlackRefusal('unknown_method')
    if (scope !== undefined && !scopes.has(scope)) {
      parts.refusals.add(name, 'missing_scope', [`needed: ${scope}`, `provided: ${provided}`])
      return respond({ ok: false, error: 'missing_scope', needed: scope, provided })
    }
    return respond({ ok: true, ...method.run(parts, args) })
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error
    const { code, messages } = error
    parts.refusals.add(name, code, messages)
    return respond({
      ok: false,
      error: code,
      ...(messages.length > 0 && {
        errors: messages.map((line) => line.replace(/^\[ERROR\] /, '')),
        response_metadata: { messages },
      }),
    })
  }

  function respond(body: Record<string, unknown>): ApiResponse {
    return {
      body,
      headers: {
        'x-oauth-scopes': provided,
        ...(scope !== undefined && { 'x-accepted-oauth-scopes': scope }),
      },
    }
  }
}
