import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { z } from 'zod'

/** Slack did not answer in time. It may still have done what it was asked for. */
export class SlackTimeoutError extends Error {
  constructor(ms: number) {
    super(`Slack did not answer within ${ms} ms`)
    this.name = 'SlackTimeoutError'
  }
}

const failedAnswer = z.object({
  error: z.string().optional().catch(undefined),
  response_metadata: z
    .object({ messages: z.array(z.string()) })
    .optional()
    .catch(undefined),
})

function answerOf(error: unknown): z.output<typeof failedAnswer> {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  return failedAnswer.safeParse(data).data ?? {}
}

/** Slack's error code of a failed Web API call, for example `hash_conflict`. */
export function slackErrorCode(error: unknown): string | undefined {
  return answerOf(error).error
}

/** What Slack says about a failed Web API call, besides its code. */
export function slackMessages(error: unknown): readonly string[] {
  return answerOf(error).response_metadata?.messages ?? []
}

/** Slack's codes for temporary failures on its side. */
const TEMPORARY_CODES = [
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
]

/**
 * Whether a call to Slack may succeed if it is made again: Slack can't be reached, rate-limits the app or has a
 * problem of its own. A mistake in our code is not temporary.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof WebAPIHTTPError) return error.statusCode >= 500
  return (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIRateLimitedError ||
    TEMPORARY_CODES.includes(slackErrorCode(error) ?? '')
  )
}

/**
 * Whether Slack itself refused a call, and will refuse it again, for example because its user has left. The answer of
 * a proxy or a network in between is not a refusal.
 */
export function isRefusal(error: unknown): boolean {
  return slackErrorCode(error) !== undefined && !isTemporary(error)
}

/** The shortest wait, in milliseconds. After a shorter one, Slack would refuse the call again. */
const MIN_RATE_LIMIT_WAIT_MS = 500

/** How long Slack asks to wait after it refused a call, in milliseconds; undefined for other errors. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof WebAPIRateLimitedError)) return undefined
  return Math.max(error.retryAfter * 1_000, MIN_RATE_LIMIT_WAIT_MS)
}
