import { z } from 'zod'
import { ApiError, RateLimitedError, type ApiErrorInit } from './errors.ts'
import { fieldMessages } from './field-messages.ts'
import { parseJson } from './responses.ts'
import { parseRetryAfter } from '../timing/retry.ts'
import type { HttpResponse } from './transport.ts'

/** The wait after a 429 that has no Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 2_000

/** The longest message that is passed on, in characters. */
const MAX_MESSAGE_LENGTH = 500

/** An error names a few fields. Beyond this, it counts as an error without an explanation. */
const LIMITS = { maxValues: 2_000, maxDepth: 30 }

/** The error envelope (spec §7). Each member is optional, because another service may omit it. */
const receivedEnvelope = z.object({
  error: z.object({
    message: z.string().trim().min(1).optional().catch(undefined),
    code: z.string().max(100).optional().catch(undefined),
    details: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
})

/**
 * Turns an error response into an error.
 *
 * @param apiKey hidden in the error if the service repeats it
 * @param now milliseconds since 1970
 */
export function readApiError(
  response: HttpResponse,
  { apiKey, now }: { apiKey: string; now: number },
): ApiError {
  const { status } = response
  const error = receivedEnvelope.safeParse(
    parseJson(response.text, { secret: apiKey, limits: LIMITS }),
  ).data?.error
  const init: ApiErrorInit = {
    status,
    message: error?.message?.slice(0, MAX_MESSAGE_LENGTH),
    code: error?.code,
    details: error?.details,
    fieldMessages: fieldMessages(error?.details ?? {}),
    requestId: requestIdOf(response),
  }
  if (status !== 429) return new ApiError(init)
  const retryAfterMs = parseRetryAfter(response.header('retry-after'), now)
  return new RateLimitedError(init, retryAfterMs ?? DEFAULT_RETRY_AFTER_MS)
}

/** Ignores an id that is long or not printable, because it is logged. */
function requestIdOf(response: HttpResponse): string | undefined {
  const id = response.header('x-request-id')
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined
}
