import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { MessageContent } from './block-kit/elements.ts'
import type { QrPicture } from './blocks/qr-image.ts'
import { isInvalidBlocks, showWithPicture } from './picture-retry.ts'
import type { ReplyTarget } from './reply-target.ts'

/** How long Slack may take to accept an answer, in milliseconds. */
const RESPONSE_URL_TIMEOUT_MS = 5_000

/** What a message is made for. */
export interface Shown {
  /** The QR picture that goes along, if any. */
  picture: QrPicture | undefined
  /** Whether it becomes a direct message, where there is no channel to share something in. */
  direct: boolean
}

/** An answer says everything itself: Slack draws no card of the links in it. */
const NO_CARDS = { unfurl_links: false, unfurl_media: false }

export interface Replies {
  /**
   * Sends an answer to where it belongs: the `response_url`, else a direct message.
   *
   * @throws when Slack takes neither
   */
  send(client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void>
  /** Puts an answer in the place of the message whose button was pressed; else sends it. */
  replace(client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void>
  /**
   * Sends an answer with a QR picture. Slack refuses an uploaded file until it has processed it,
   * so that is tried again a few times; in the end the answer goes without the picture.
   */
  sendWithPicture(
    client: WebClient,
    target: ReplyTarget,
    picture: QrPicture | undefined,
    draw: (shown: Shown) => MessageContent,
  ): Promise<void>
}

/** Slack took the request and refused the message. */
class MessageRefusedError extends Error {
  /** As the Web API's errors have it. */
  readonly data: { error: string }

  constructor(code: string) {
    super(`Slack refused the message: ${code}`)
    this.name = 'MessageRefusedError'
    this.data = { error: code }
  }
}

export function createReplies({
  logger,
  fetch,
  pause = sleep,
}: {
  logger: Logger
  fetch: typeof globalThis.fetch
  pause?: (ms: number) => Promise<unknown>
}): Replies {
  async function deliver(
    client: WebClient,
    target: ReplyTarget,
    draw: (direct: boolean) => MessageContent,
  ): Promise<void> {
    if (target.responseUrl) {
      try {
        await postToResponseUrl(fetch, target.responseUrl, {
          ...draw(false),
          ...NO_CARDS,
          replace_original: target.replaces === true,
          response_type: target.inChannel ? 'in_channel' : 'ephemeral',
          ...(target.threadTs && { thread_ts: target.threadTs }),
        })
        return
      } catch (error) {
        if (isInvalidBlocks(error)) throw error
        logger.warn({ err: error }, 'a response_url took no answer; sending a direct message')
      }
    }
    const message = draw(true)
    await client.chat.postMessage({ channel: target.userId, ...message, ...NO_CARDS })
  }

  return {
    send: (client, target, message) => deliver(client, target, () => message),
    replace: (client, target, message) =>
      deliver(client, { ...target, replaces: true }, () => message),
    sendWithPicture: (client, target, picture, draw) =>
      showWithPicture(
        picture,
        (shown) => deliver(client, target, (direct) => draw({ picture: shown, direct })),
        pause,
      ),
  }
}

/** @throws MessageRefusedError when Slack does not take it; fetch's error when it can't be reached */
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
