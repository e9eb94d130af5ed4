import { z } from 'zod'
import { parseJson } from './answers.ts'
import { ApiError, type ApiFault } from './errors/api-error.ts'
import { RateLimitedError } from './errors/rate-limited-error.ts'
import { fieldMessages } from './field-messages.ts'
import { parseRetryAfter } from './retry-timing.ts'
import type { Incoming } from './transport.ts'

/** What a 429 that does not say how long is taken to ask for. */
const DEFAULT_RETRY_AFTER_MS = 2_000

/** The longest message that is passed on, in characters; the rest is cut off. */
const MAX_MESSAGE_LENGTH = 500

/** The error envelope (spec §7), member by member: a foreign service may leave some out. */
const envelope = z.object({
  error: z.object({
    message: z.string().trim().min(1).optional().catch(undefined),
    code: z.string().max(100).optional().catch(undefined),
    details: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
})

/**
 * The error that an answer without success stands for.
 *
 * @param apiKey hidden wherever the service repeats it
 * @param now milliseconds since 1970
 */
export function readApiError(
  answer: Incoming,
  { apiKey, now }: { apiKey: string; now: number },
): ApiError {
  const { status } = answer
  const error = envelope.safeParse(parseJson(answer.text, apiKey)).data?.error
  const fault: ApiFault = {
    status,
    message: (error?.message ?? defaultMessage(status)).slice(0, MAX_MESSAGE_LENGTH),
    code: error?.code,
    details: error?.details,
    fieldMessages: fieldMessages(error?.details ?? {}),
    requestId: requestIdOf(answer),
  }
  if (status !== 429) return new ApiError(fault)
  const asked = parseRetryAfter(answer.header('retry-after'), now)
  return new RateLimitedError(fault, asked ?? DEFAULT_RETRY_AFTER_MS)
}

/** In place of a service's own words, where it gave none (a proxy's HTML page, for example). */
function defaultMessage(status: number): string {
  return status >= 300 && status < 400
    ? `The link service sends us elsewhere (${status}): its configured address is not quite right.`
    : `The link service answered ${status} without saying why.`
}

/** Printable and short, or none: it ends up in logs. */
function requestIdOf(answer: Incoming): string | undefined {
  const id = answer.header('x-request-id')
  return id && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined
}
