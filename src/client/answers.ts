import { z } from 'zod'
import type { Shortlink } from '../contract/shortlink.ts'
import { answeredShortlink } from './answered-shortlink.ts'
import { ResponseShapeError } from './errors/response-shape-error.ts'
import type { Incoming } from './transport.ts'

/** The success envelope of a create (spec §4.1), as far as we use it. */
const createdAnswer = z.object({ data: z.object({ shortlink: answeredShortlink }) })

/**
 * The shortlink of a successful create.
 *
 * @throws ResponseShapeError
 */
export function readCreated(answer: Incoming): Shortlink {
  const read = createdAnswer.safeParse(readJson(answer))
  if (read.success) return read.data.data.shortlink
  throw new ResponseShapeError(answer.status, 'JSON that holds no shortlink', read.error)
}

/**
 * The JSON of a successful answer.
 *
 * @throws ResponseShapeError, without the parser's own error, which quotes the text
 */
export function readJson(answer: Incoming): unknown {
  const json = parseJson(answer.text)
  if (json !== undefined) return json
  const html = answer.header('content-type')?.includes('html') ?? false
  throw new ResponseShapeError(answer.status, html ? 'HTML instead of JSON' : 'no readable JSON')
}

/**
 * Undefined where the text is not JSON, or was cut off.
 *
 * @param hide taken out of every text: a service may repeat the API key
 */
export function parseJson(text: string, hide?: string): unknown {
  try {
    return JSON.parse(text, hide ? hideIn(hide) : undefined)
  } catch {
    return undefined
  }
}

function hideIn(secret: string) {
  return (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(secret, '[API key]') : value
}
