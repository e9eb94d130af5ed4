import { z } from 'zod'
import { UTM_PARAMETERS, without, type FieldKind } from '../contract/link-fields.ts'
import { fieldShape, hexColor } from '../contract/link-requests.ts'
import { LISTED_FIELDS, OUR_LISTED_FIELDS, shortlink } from '../contract/shortlink.ts'
import { ResponseShapeError } from '../port/failures.ts'
import type { HttpResponse } from './transport.ts'

const { name, shortlink_url } = shortlink.shape

/** Longest texts in characters. The app stores and shows them. */
const MAX_NAME = 1_000
const MAX_URL = 20_000
const MAX_SHORT_URL = 2_000
const MAX_TEXT = 5_000

/** The most tags that are read. Other services may allow more than ours. */
const MAX_TAGS = 100

const timestamp = z.iso.datetime({ offset: true, local: true }).optional().catch(undefined)
const text = atMost(MAX_TEXT).min(1).optional().catch(undefined)

/** The values of fields in responses of any service. Only a destination must be as the specification says. */
const RECEIVED = {
  url: atMost(MAX_URL).pipe(z.url()),
  domain: text,
  back_half: text,
  text,
  lines: text,
  tags: z.array(atMost(MAX_TEXT).min(1)).min(1).max(MAX_TAGS).optional().catch(undefined),
  flag: z.boolean().optional().catch(undefined),
  color: hexColor.optional().catch(undefined),
  image: atMost(MAX_URL).pipe(z.url()).optional().catch(undefined),
  instant: timestamp,
} satisfies Record<FieldKind, z.ZodType>

const noMeta = () => ({})

/**
 * A shortlink in a response of any service (spec §2.1). Members that the specification requires are required. An
 * optional member that is null, empty, too long or of another type counts as absent: the link exists, so it is shown.
 */
export const receivedShortlink = z.object({
  name: name.max(MAX_NAME),
  shortlink_url: atMost(MAX_SHORT_URL).pipe(shortlink_url),
  ...fieldShape(without(LISTED_FIELDS, OUR_LISTED_FIELDS), RECEIVED, noMeta),
})

/** A timestamp of a service, in milliseconds since 1970; NaN if absent. One without a zone counts as UTC. */
export function timeOf(text: string | undefined): number {
  if (text === undefined) return NaN
  return Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
}

/** A shortlink with what many services add: times (ISO 8601), clicks, UTM parameters, and whether it is turned on. */
export const receivedListedLink = receivedShortlink.extend({
  created_at: timestamp,
  updated_at: timestamp,
  clicks: z.int().nonnegative().optional().catch(undefined),
  // The person who created it (X-Made-By).
  made_by: z
    .object({ id: atMost(MAX_NAME), name: atMost(MAX_TEXT) })
    .optional()
    .catch(undefined),
  ...fieldShape([...OUR_LISTED_FIELDS, ...UTM_PARAMETERS], RECEIVED, noMeta),
})

function atMost(characters: number) {
  return z.string().max(characters)
}

/** The parts of a successful create's envelope that are read (spec §4.1). */
export const receivedCreate = z.object({ data: z.object({ shortlink: receivedListedLink }) })

/**
 * Reads the response to a successful call.
 *
 * @returns its `data`
 * @throws ResponseShapeError
 */
export function readEnvelope<T>(envelope: z.ZodType<{ data: T }>, response: HttpResponse): T {
  const parsed = envelope.safeParse(readJson(response))
  if (parsed.success) return parsed.data.data
  const [path = ''] = parsed.error.issues.map((issue) => issue.path.join('.'))
  const found = `JSON without a readable ${path || 'data'}`
  throw new ResponseShapeError(response.status, found, parsed.error)
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
  throw new ResponseShapeError(response.status, isHtml ? 'HTML instead of JSON' : 'no usable JSON')
}

/**
 * How many values a document may have, and how deep they may be nested. A page of 3,000 links with all their members has
 * fewer values. OpenAPI documents have the most levels.
 */
const [MAX_VALUES, MAX_DEPTH] = [50_000, 60]

/**
 * Parses JSON. Returns undefined if the text is not JSON, if it was cut off, or if it has so many values
 * that reading them would keep everyone waiting.
 *
 * @param secret removed from every string: a service may repeat the API key
 */
export function parseJson(text: string, secret?: string): unknown {
  if (!isWithinLimits(text)) return undefined
  try {
    return JSON.parse(text, secret ? withoutSecret(secret) : undefined)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The value if it is an object, and otherwise an empty object. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function withoutSecret(secret: string) {
  return (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(secret, '[API key]') : value
}

/**
 * Whether a JSON text keeps within limits, as far as can be told without parsing it. It takes about two
 * milliseconds for a megabyte, however the text is made, while parsing and validating could take seconds.
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

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d]
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d]
