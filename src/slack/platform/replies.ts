import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Clock } from '../../client/clock.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import type { QrPicture } from '../block-kit/shown-link.ts'
import { isInvalidBlocks, showWithPicture } from './qr-pictures.ts'

/**
 * Where an answer goes. A `response_url` reaches every conversation, even one that the app is not in.
 * If there is none, or if it is used up, the answer becomes a direct message.
 */
export interface ReplyTarget {
  userId: string
  /** Accepts 5 answers within 30 minutes. */
  responseUrl?: string | undefined
  /** The thread to answer in. Slack shows an ephemeral message there only while the thread is open. */
  threadTs?: string | undefined
  /** Whether everyone in the conversation sees the answer. In a thread, an ephemeral one could be lost. */
  inChannel?: boolean | undefined
  /** Whether the answer replaces the message whose button was pressed. */
  replacesOriginal?: boolean | undefined
}

/** The parts of Slack's payloads that decide where an answer goes. */
export interface ReplyPayload {
  type?: string | undefined
  /** In slash commands. */
  user_id?: string | undefined
  /** In everything else. */
  user?: { id: string } | undefined
  /** In events. */
  event?: { user?: string } | undefined
  response_url?: string | undefined
  /** In a form with a `response_url_enabled` menu of conversations. */
  response_urls?: { response_url: string }[] | undefined
  message?: { ts?: string; thread_ts?: string } | undefined
  container?: { thread_ts?: string } | undefined
}

/** Where the answer to a payload goes. */
export function replyTargetOf(payload: ReplyPayload): ReplyTarget {
  const userId = payload.user_id ?? payload.user?.id ?? payload.event?.user ?? ''
  const responseUrl = payload.response_url ?? payload.response_urls?.[0]?.response_url
  const threadTs = payload.message?.thread_ts ?? payload.container?.thread_ts
  if (payload.type === 'message_action') {
    return { userId, responseUrl, threadTs: threadTs ?? payload.message?.ts, inChannel: true }
  }
  return { userId, responseUrl, threadTs }
}

/** Where an answer goes that only the user should see: never to a thread that everyone sees. */
export function privateTarget(target: ReplyTarget): ReplyTarget {
  return target.inChannel ? { userId: target.userId } : target
}

/** How a message will be delivered, for the function that builds it. */
export interface Delivery {
  /** The QR picture in the message, if any. */
  picture: QrPicture | undefined
  /** Whether it becomes a direct message, so that there is no channel to share something in. */
  direct: boolean
}

/** Sends answers to users. */
export interface Replies {
  /**
   * Sends an answer to its target: through the `response_url`, or as a direct message.
   *
   * @throws if Slack accepts neither
   */
  send(client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void>
  /** Replaces the message whose button was pressed, or sends a new one if that fails. */
  replace(client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void>
  /** Sends an answer with a QR picture, or without it if Slack keeps refusing the picture. */
  sendWithPicture(
    client: WebClient,
    target: ReplyTarget,
    picture: QrPicture | undefined,
    build: (delivery: Delivery) => MessageContent,
  ): Promise<void>
}

/** How long Slack may take to accept an answer, in milliseconds. */
const RESPONSE_URL_TIMEOUT_MS = 5_000

/** Answers are complete: Slack must not add previews of the links in them. */
const NO_UNFURLS = { unfurl_links: false, unfurl_media: false }

export function createReplies({
  logger,
  fetch,
  clock,
}: {
  logger: Logger
  fetch: typeof globalThis.fetch
  clock: Clock
}): Replies {
  async function deliver(
    client: WebClient,
    target: ReplyTarget,
    build: (direct: boolean) => MessageContent,
  ): Promise<void> {
    if (target.responseUrl) {
      try {
        await postToResponseUrl(fetch, target.responseUrl, {
          ...build(false),
          ...NO_UNFURLS,
          replace_original: target.replacesOriginal === true,
          response_type: target.inChannel ? 'in_channel' : 'ephemeral',
          ...(target.threadTs && { thread_ts: target.threadTs }),
        })
        return
      } catch (err) {
        if (isInvalidBlocks(err)) throw err
        logger.warn({ err }, 'a response_url refused the answer; sending a direct message')
      }
    }
    await client.chat.postMessage({ channel: target.userId, ...build(true), ...NO_UNFURLS })
  }

  return {
    send: (client, target, message) => deliver(client, target, () => message),
    replace: (client, target, message) =>
      deliver(client, { ...target, replacesOriginal: true }, () => message),
    sendWithPicture: (client, target, picture, build) =>
      showWithPicture(clock, picture, (shown) =>
        deliver(client, target, (direct) => build({ picture: shown, direct })),
      ),
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

/** @throws MessageRefusedError if Slack refuses the answer; fetch's error if Slack can't be reached */
async function postToResponseUrl(
  fetch: typeof globalThis.fetch,
  url: string,
  body: MessageContent & Record<string, unknown>,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(RESPONSE_URL_TIMEOUT_MS),
  })
  const text = (await response.text()).slice(0, 500)
  const code = /\b(invalid_blocks\w*)\b/.exec(text)?.[1] ?? /"error":\s*"(\w+)"/.exec(text)?.[1]
  if (!response.ok || code) throw new MessageRefusedError(code ?? `HTTP ${response.status}`)
}
