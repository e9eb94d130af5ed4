import type { z } from 'zod'
import { ResponseShapeError } from '../port/failures.ts'
import type { HttpResponse } from './transport.ts'

export function readAs<T>(schema: z.ZodType<T>, response: HttpResponse): T {
  const parsed = schema.safeParse(readJson(response))
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.')
  throw new ResponseShapeError(
    response.status,
    `JSON without a readable ${path || 'data'}`,
    parsed.error,
  )
}

/** @throws ResponseShapeError if the body isn't usable JSON. The parser's error isn't its cause, because it quotes the body */
export function readJson(response: HttpResponse): unknown {
  const json = parseJson(response.text)
  if (json !== undefined) return json
  const isHtml = response.header('content-type')?.includes('html') ?? false
  throw new ResponseShapeError(response.status, isHtml ? 'HTML instead of JSON' : 'no usable JSON')
}

// Parsing and validating a large JSON document could block the process for seconds. A page of 3,000 links with all their members
// has fewer values than the limit. OpenAPI documents are nested most deeply.
const MAX_VALUES = 50_000
const MAX_DEPTH = 60

/** Parses JSON, with `[API key]` for the secret in its texts. @returns undefined if it isn't JSON or is too large */
export function parseJson(text: string, secret?: string): unknown {
  if (!isWithinLimits(text)) return undefined
  try {
    return JSON.parse(text, secret ? withoutSecret(secret) : undefined)
  } catch {
    return undefined
  }
}

function withoutSecret(secret: string) {
  return (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(secret, '[API key]') : value
}

/** Counts the values and levels of JSON before it is parsed. */
export function isWithinLimits(text: string): boolean {
  let values = 1
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') isInString = !isInString
    else if (isInString) {
      if (character === '\\') index++
    } else if (character === ',') values++
    else if (character === '[' || character === '{') {
      values++
      depth++
    } else if (character === ']' || character === '}') depth--
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false
  }
  return true
}
