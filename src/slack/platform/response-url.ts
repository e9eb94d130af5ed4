import { WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import type { MessageContent } from '../block-kit/elements.ts'

/** Slack received the answer and refused it. */
class MessageRefusedError extends Error {
  /** As in the Web API's errors. */
  readonly data: { error: string }

  constructor(code: string) {
    super(`Slack refused the message: ${code}`)
    this.name = 'MessageRefusedError'
    this.data = { error: code }
  }
}

/** Slack's status for a `response_url` that gets too many answers. */
const TOO_MANY_REQUESTS = 429

/**
 * Posts an answer to a `response_url`. The errors are like those of the Web API.
 *
 * @throws MessageRefusedError if Slack refuses the answer, WebAPIRateLimitedError if it asks to wait, and
 *   WebAPIRequestError if Slack can't be reached
 */
export async function postToResponseUrl(
  fetch: typeof globalThis.fetch,
  url: string,
  body: MessageContent & Record<string, unknown>,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw error instanceof Error ? new WebAPIRequestError(error) : error
  })
  const text = (await response.text()).slice(0, 500)
  const { status, headers } = response
  if (status === TOO_MANY_REQUESTS) {
    throw new WebAPIRateLimitedError(Number.parseInt(headers.get('retry-after') ?? '', 10) || 1)
  }
  const code = /\b(invalid_blocks\w*)\b/.exec(text)?.[1] ?? /"error":\s*"(\w+)"/.exec(text)?.[1]
  if (status >= 500) throw new MessageRefusedError('service_unavailable')
  if (!response.ok || code) throw new MessageRefusedError(code ?? `HTTP ${status}`)
}
