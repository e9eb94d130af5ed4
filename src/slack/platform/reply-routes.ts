import { WebAPIRateLimitedError, WebAPIRequestError, type WebClient } from '@slack/web-api'
import type { MessageContent } from '../block-kit/elements.ts'
import type { ReplyTarget } from './caller.ts'
import type { SlackPost } from './slack-client.ts'

/** A message that Slack accepted. */
export interface SentMessage {
  /** Replaces the message; absent if Slack allows no change to it. */
  update?: ((message: MessageContent) => Promise<unknown>) | undefined
  /** Sends another message to the same place. */
  follow: (message: MessageContent) => Promise<unknown>
}

/** One way to reach a user. */
interface Route {
  name: 'response_url' | 'chat.postEphemeral' | 'chat.postMessage'
  /** Whether the message becomes a direct message. */
  direct: boolean
  send: (message: MessageContent) => Promise<SentMessage>
}

/** Answers are complete: Slack must not add previews of the links in them. */
const NO_UNFURLS = { unfurl_links: false, unfurl_media: false }

/** The ways to reach a target, the best first: its `response_url`, an ephemeral message, a direct message. */
export function routesTo(client: WebClient, target: ReplyTarget, post: SlackPost): Route[] {
  const { responseUrl, channelId, userId, threadTs, inChannel, replacesOriginal } = target
  const inThread = threadTs === undefined ? {} : { thread_ts: threadTs }
  const routes: Route[] = []
  if (responseUrl) {
    const respond = (message: MessageContent, replace: boolean): Promise<void> =>
      postToResponseUrl(post, responseUrl, {
        ...message,
        ...NO_UNFURLS,
        replace_original: replace,
        response_type: inChannel ? 'in_channel' : 'ephemeral',
        ...inThread,
      })
    routes.push({
      name: 'response_url',
      direct: false,
      // Only the message whose button was pressed can be replaced, not an earlier answer.
      async send(message) {
        await respond(message, Boolean(replacesOriginal))
        return {
          follow: (next) => respond(next, false),
          ...(replacesOriginal && { update: (changed) => respond(changed, true) }),
        }
      },
    })
  }
  if (replacesOriginal === 'only') return routes
  // In a thread that is not open, an ephemeral message would be lost. A direct message is not.
  if (channelId && !inChannel) {
    const postEphemeral = (message: MessageContent) =>
      client.chat.postEphemeral({ channel: channelId, user: userId, ...message, ...inThread })
    routes.push({
      name: 'chat.postEphemeral',
      direct: false,
      async send(message) {
        await postEphemeral(message)
        return { follow: postEphemeral }
      },
    })
  }
  const postMessage = (message: MessageContent) =>
    client.chat.postMessage({ channel: userId, ...message, ...NO_UNFURLS })
  routes.push({
    name: 'chat.postMessage',
    direct: true,
    async send(message) {
      const { channel, ts } = await postMessage(message)
      const isKnown = channel !== undefined && ts !== undefined
      return {
        follow: postMessage,
        ...(isKnown && { update: (changed) => client.chat.update({ channel, ts, ...changed }) }),
      }
    },
  })
  return routes
}

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

/** The `response_url` no longer works: it is older than 30 minutes, or had its five answers. */
export class DeadResponseUrlError extends MessageRefusedError {}

/**
 * Posts an answer to a `response_url`. The errors are like those of the Web API.
 *
 * @throws MessageRefusedError if Slack refuses the answer, WebAPIRateLimitedError if it asks to wait, and
 *   WebAPIRequestError if Slack can't be reached
 */
async function postToResponseUrl(post: SlackPost, url: string, body: object): Promise<void> {
  const { status, text, header } = await post(url, body).catch((error: unknown) => {
    throw error instanceof Error ? new WebAPIRequestError(error) : error
  })
  if (status === 429) {
    throw new WebAPIRateLimitedError(Number.parseInt(header('retry-after') ?? '', 10) || 1)
  }
  const code = /\b(invalid_blocks\w*)\b/.exec(text)?.[1] ?? /"error":\s*"(\w+)"/.exec(text)?.[1]
  if (status >= 500) throw new MessageRefusedError('service_unavailable')
  if (status === 404) throw new DeadResponseUrlError(code ?? 'HTTP 404')
  if (status < 200 || status >= 300 || code) throw new MessageRefusedError(code ?? `HTTP ${status}`)
}
