import { z } from 'zod'
import { shortlink, type Shortlink } from '../contract/shortlink.ts'
import { ResponseShapeError } from './errors.ts'
import type { HttpResponse } from './transport.ts'

const { shape } = shortlink

/**
 * A shortlink in a response of any service (spec §2.1). Members that the specification requires
 * are required. An optional member that is null, empty or of another type counts as absent: the
 * link exists, so it is shown.
 */
export const receivedShortlink = shortlink.extend({
  title: shape.title.catch(undefined),
  is_custom_preview: shape.is_custom_preview.catch(undefined),
  preview_title: shape.preview_title.catch(undefined),
  preview_description: shape.preview_description.catch(undefined),
  preview_image: shape.preview_image.catch(undefined),
  qr_code_enabled: shape.qr_code_enabled.catch(undefined),
})

/** The parts of a successful create's envelope that are read (spec §4.1). */
const receivedEnvelope = z.object({ data: z.object({ shortlink: receivedShortlink }) })

/**
 * Reads the shortlink from the response to a successful create.
 *
 * @throws ResponseShapeError
 */
export function readCreatedLink(response: HttpResponse): Shortlink {
  const parsed = receivedEnvelope.safeParse(readJson(response))
  if (parsed.success) return parsed.data.data.shortlink
  throw new ResponseShapeError(response.status, 'JSON without a shortlink', parsed.error)
}

/**
 * Parses the JSON of a successful response.
 *
 * @throws ResponseShapeError without the parser's error as its cause, because that quotes the text
 */
export function readJson(response: HttpResponse): unknown {
  const json = parseJson(response.text)
  if (json !== undefined) return json
  const isHtml = response.header('content-type')?.includes('html') ?? false
  throw new ResponseShapeError(response.status, isHtml ? 'HTML instead of JSON' : 'invalid JSON')
}

/**
 * Parses JSON. Returns undefined if the text is not JSON, or if it was cut off.
 *
 * @param secret removed from every string: a service may repeat the API key
 */
export function parseJson(text: string, secret?: string): unknown {
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
