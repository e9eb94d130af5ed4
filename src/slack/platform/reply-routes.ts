import { WebAPIRateLimitedError, WebAPIRequestError, type WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import { isPictureRefused } from './pictures.ts'
import type { ReplyTarget } from './reply-target.ts'
import { isTemporary, retryAfterMs, tryAgain, waitOutRateLimit } from './slack-client.ts'

/** A message that Slack accepted. */
export interface SentMessage {
  /** Replaces the message; absent if Slack allows no change to it. */
  update?: (message: MessageContent) => Promise<unknown>
  /** Sends another message to the same place. */
  follow: (message: MessageContent) => Promise<unknown>
}

/** One way to reach a user. `direct` says that it is a direct message. */
interface Route {
  name: 'response_url' | 'chat.postEphemeral' | 'chat.postMessage'
  direct: boolean
  send: (message: MessageContent) => Promise<SentMessage>
}

/** Answers are complete: Slack must not add previews of the links in them. */
const NO_UNFURLS = { unfurl_links: false, unfurl_media: false }

/** If Slack asks to wait longer than this many milliseconds, the answer takes another route. */
const SHORT_WAIT_MS = 3_000

/** How long to wait before trying again if all routes failed temporarily, in milliseconds. */
const PAUSES_MS = [1_000, 5_000, 15_000]

/** Delivers messages to users, on the first route that Slack accepts. */
export interface ReplyRoutes {
  /**
   * Sends a message on the first route that Slack accepts: the `response_url`, an ephemeral message in the
   * same conversation, or a direct message. If all of them fail temporarily, it waits and tries again.
   *
   * @param build called with whether the message becomes a direct message
   * @throws at once if Slack refuses the picture in the message (`isPictureRefused`); otherwise the last
   *   error, if no route works
   */
  deliver: (
    client: WebClient,
    target: ReplyTarget,
    build: (direct: boolean) => MessageContent,
  ) => Promise<SentMessage>
}

export function createReplyRoutes({
  clock,
  logger,
  fetch,
}: {
  clock: Clock
  logger: Logger
  fetch: typeof globalThis.fetch
}): ReplyRoutes {
  return {
    deliver(client, target, build) {
      let routes = routesTo(client, target, fetch)

      /** Tries each route that may still work. @throws the error of the one that may work soonest */
      async function tryRoutes(): Promise<SentMessage> {
        const failures: { route: Route; error: unknown }[] = []
        for (const route of routes) {
          const message = build(route.direct)
          try {
            return await waitOutRateLimit(clock, () => route.send(message), SHORT_WAIT_MS)
          } catch (error) {
            if (isPictureRefused(error)) throw error
            logger.warn({ err: error, route: route.name }, 'Slack did not accept an answer')
            failures.push({ route, error })
          }
        }
        const temporary = failures
          .filter(({ error }) => isTemporary(error))
          .toSorted((a, b) => (retryAfterMs(a.error) ?? 0) - (retryAfterMs(b.error) ?? 0))
        routes = routes.filter((route) => temporary.some((failure) => failure.route === route))
        const failure = temporary[0] ?? failures.at(-1)
        throw failure ? failure.error : new DeadResponseUrlError('there is none')
      }

      return tryAgain(clock, PAUSES_MS, tryRoutes)
    },
  }
}

function routesTo(
  client: WebClient,
  { responseUrl, channelId, userId, threadTs, inChannel, replacesOriginal }: ReplyTarget,
  fetch: typeof globalThis.fetch,
): Route[] {
  const inThread = threadTs === undefined ? {} : { thread_ts: threadTs }
  const respond = (url: string, message: MessageContent, replace: boolean): Promise<void> =>
    postToResponseUrl(fetch, url, {
      ...message,
      ...NO_UNFURLS,
      replace_original: replace,
      response_type: inChannel ? 'in_channel' : 'ephemeral',
      ...inThread,
    })
  const postEphemeral = (channel: string, message: MessageContent): Promise<unknown> =>
    client.chat.postEphemeral({ channel, user: userId, ...message, ...inThread })

  const mayBeNew = replacesOriginal !== 'only'

  return [
    ...(responseUrl
      ? [responseUrlRoute((message, replace) => respond(responseUrl, message, replace))]
      : []),
    // In a thread that is not open, an ephemeral message would be lost. A direct message is not.
    ...(channelId && !inChannel && mayBeNew
      ? [ephemeralRoute((message) => postEphemeral(channelId, message))]
      : []),
    ...(mayBeNew ? [directRoute(client, userId)] : []),
  ]

  function responseUrlRoute(
    post: (message: MessageContent, replace: boolean) => Promise<void>,
  ): Route {
    const follow = (message: MessageContent): Promise<void> => post(message, false)
    const replace = (message: MessageContent): Promise<void> => post(message, true)
    return {
      name: 'response_url',
      direct: false,
      // Only the message whose button was pressed can be replaced, not an earlier answer.
      send: async (message) => {
        await (replacesOriginal ? replace : follow)(message)
        return { follow, ...(replacesOriginal && { update: replace }) }
      },
    }
  }
}

function ephemeralRoute(post: (message: MessageContent) => Promise<unknown>): Route {
  const send = async (message: MessageContent): Promise<SentMessage> => {
    await post(message)
    return { follow: post }
  }
  return { name: 'chat.postEphemeral', direct: false, send }
}

function directRoute(client: WebClient, userId: string): Route {
  const post = (message: MessageContent) =>
    client.chat.postMessage({ channel: userId, ...message, ...NO_UNFURLS })
  return {
    name: 'chat.postMessage',
    direct: true,
    send: async (message) => {
      const { channel, ts } = await post(message)
      if (channel === undefined || ts === undefined) return { follow: post }
      return {
        follow: post,
        update: (changed) => client.chat.update({ channel, ts, ...changed }),
      }
    },
  }
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

/** Slack's status for such a `response_url`. */
const NOT_FOUND = 404

/** Slack's status for a `response_url` that gets too many answers. */
const TOO_MANY_REQUESTS = 429

/**
 * Posts an answer to a `response_url`. The errors are like those of the Web API.
 *
 * @throws MessageRefusedError if Slack refuses the answer, WebAPIRateLimitedError if it asks to wait, and
 *   WebAPIRequestError if Slack can't be reached
 */
async function postToResponseUrl(
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
  if (status === NOT_FOUND) throw new DeadResponseUrlError(code ?? 'HTTP 404')
  if (!response.ok || code) throw new MessageRefusedError(code ?? `HTTP ${status}`)
}
