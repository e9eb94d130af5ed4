import { isObject } from '../shared/json.ts'

/** The arguments of a call, from a form or a JSON body; undefined where it can't be read. */
export function apiArguments(
  contentType: string | undefined,
  body: unknown,
): Record<string, unknown> | undefined {
  if (typeof body !== 'string' || body === '') return {}
  if (contentType?.startsWith('application/json')) return jsonObject(body)
  const fields = new URLSearchParams(body)
  const payload = fields.get('payload')
  return payload === null ? Object.fromEntries(fields) : jsonObject(payload)
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
