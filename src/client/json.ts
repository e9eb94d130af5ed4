import type { z } from 'zod'
import { ResponseShapeError } from '../port/failures.ts'
import type { HttpResponse } from './transport.ts'

export function readAs<T>(schema: z.ZodType<T>, response: HttpResponse): T {
  const parsed = schema.safeParse(readJson(response))
  if (parsed.success) return parsed.data
  const [path = ''] = parsed.error.issues.map((issue) => issue.path.join('.'))
  const found = `JSON without a readable ${path || 'data'}`
  throw new ResponseShapeError(response.status, found, parsed.error)
}

/**
 * Reads the JSON of a response.
 * @throws ResponseShapeError without a cause, because the parser's error would quote the text
 */
export function readJson(response: HttpResponse): unknown {
  const json = parseJson(response.text)
  if (json !== undefined) return json
  const isHtml = response.header('content-type')?.includes('html') ?? false
  throw new ResponseShapeError(response.status, isHtml ? 'HTML instead of JSON' : 'no usable JSON')
}

/**
 * The limits of a JSON text, because validating a large one could block the process for seconds. A page of 3,000 links
 * with all their members has fewer values. OpenAPI documents have the most levels.
 */
const MAX_VALUES = 50_000
const MAX_DEPTH = 60

/**
 * Parses JSON, and removes the secret from all strings. Returns undefined if the text is not JSON or exceeds the
 * limits.
 */
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

/**
 * Counts the values and levels of a JSON text without parsing it. This takes two milliseconds for a megabyte, while
 * parsing and validating it could take seconds.
 */
export function isWithinLimits(text: string): boolean {
  let values = 1
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) isInString = !isInString
    else if (isInString) {
      if (code === BACKSLASH) index++
    } else if (code === COMMA) values++
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      values++
      depth++
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false
  }
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
