import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import { ERROR_STATUS, errorEnvelope, type ErrorCode } from '../../contract/error-envelope.ts'
import { IDEMPOTENCY_KEY } from './single-link.ts'

const ERROR_DESCRIPTIONS: Record<ErrorCode, string> = {
  BAD_REQUEST:
    'The request can’t be read. For example, its body is not valid multipart/form-data, or too large.',
  AUTHENTICATION_REQUIRED: 'The API key is missing or invalid.',
  PERMISSION_DENIED: 'The API key does not allow this operation.',
  FEATURE_LIMIT_EXCEEDED:
    'The workspace’s quota of short links is used up, or the workspace deleted or moved too many links in 24 hours.',
  NOT_FOUND: 'The API key has no shortlink with this name.',
  DUPLICATE_DESTINATION_URL:
    'This destination, with its UTM parameters, already has a short link on this domain. `details.shortlink` is that link, if the key can read links.',
  BACK_HALF_CONFLICT: 'The back-half is taken on this domain.',
  PRECONDITION_FAILED: 'The shortlink was changed: it no longer has the ETag of `If-Match`.',
  VALIDATION_ERROR:
    'Fields or parameters are invalid, unknown or repeated. `details.fields` has the messages about each of them.',
  RATE_LIMIT_EXCEEDED:
    'The API key has sent too many requests, or the keys of its workspace have requested too many lists, clicks or reports at once. `Retry-After` is the number of seconds to wait.',
  INTERNAL_ERROR: 'Something went wrong in the service.',
  SERVICE_UNAVAILABLE:
    'The service’s database is not available. Nothing was written. `Retry-After` is the number of seconds to wait.',
}

export const COMMON_ERRORS: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'AUTHENTICATION_REQUIRED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

export const rateLimitHeaders = z.object({
  'ratelimit-limit': z.string().describe('How many requests this API key can send a minute.'),
  'ratelimit-remaining': z.string().describe('How many requests are left until the reset.'),
  'ratelimit-reset': z.string().describe('Seconds until the limit resets.'),
})

export const linkHeaders = rateLimitHeaders.extend({
  etag: z.string().describe('The revision of the shortlink, for `If-Match`.'),
})

export function errorResponses(sent: readonly ErrorCode[]): ZodOpenApiResponsesObject {
  const shown = (Object.keys(ERROR_DESCRIPTIONS) as ErrorCode[]).filter((code) =>
    sent.includes(code),
  )
  const byStatus = Map.groupBy(shown, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status) as `${1 | 2 | 3 | 4 | 5}${string}`,
      {
        description: codes.map((code) => `${code}: ${ERROR_DESCRIPTIONS[code]}`).join('\n\n'),
        content: { 'application/json': { schema: errorSchema(status, codes) } },
      },
    ]),
  )
}

function errorSchema(status: number, codes: readonly ErrorCode[]) {
  const members = { status_code: z.literal(status), code: z.enum(codes) }
  return errorEnvelope.extend({ error: errorEnvelope.shape.error.extend(members) })
}

export const linkName = z.object({ name: z.string().describe('The name (ID) of the shortlink.') })

const person = z.string().max(200)

const createdBy = person
  .describe(
    'The person who makes the change: an ID and a name in percent-encoded UTF-8, separated by a space, such as `T0TEST-U0ANA Ana%20Garc%C3%ADa`. The link and its history keep both.',
  )
  .optional()

export const createHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(IDEMPOTENCY_KEY)
    .describe(
      'Makes the request safe to retry: for 24 hours, a request with the same key and body gets the first response again.',
    )
    .optional(),
  'X-Created-By': createdBy,
})

export const changeHeaders = z.object({
  'If-Match': z
    .string()
    .describe(
      'The ETag that the shortlink had when it was read. If the shortlink has changed since, the request changes nothing, and the response is 412.',
    )
    .optional(),
  'X-Created-By': createdBy,
})

export const signInHeaders = z.object({
  'X-Created-By': person.describe(
    'The person who signs in, in the same form as in other requests.',
  ),
})
