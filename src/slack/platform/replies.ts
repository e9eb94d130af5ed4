import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import { retry } from '../../timing/retry.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import type { Picture, PictureState } from '../block-kit/pictures.ts'
import { createReplyRoutes } from './reply-routes.ts'
import { isPictureRefused, showWithPicture } from './pictures.ts'
import type { ReplyTarget } from './reply-target.ts'
import { waitOutRateLimit } from './slack-client.ts'

/** How a message will be shown, for the function that builds it. */
export interface Shown<S extends PictureState = PictureState> {
  /** Whether the message has a picture, and if not, why. */
  picture: S | undefined
  /** Whether it becomes a direct message, so that there is no channel to share something in. */
  direct: boolean
}

/** A message whose picture may come later. */
export interface MessageWithPicture {
  build: (shown: Shown) => MessageContent
  /**
   * Builds the message that brings the picture if Slack can't change the first one, or that says that there
   * is no picture.
   */
  buildPicture: (picture: Picture | undefined) => MessageContent
}

/** Sends answers to users. */
export interface Replies {
  /**
   * Sends an answer to its target: through the `response_url`, in the conversation, or as a direct message.
   *
   * @throws if Slack accepts none of them
   */
  send(client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void>
  /** Replaces the message whose button was pressed, or sends a new one if that fails. */
  replace(client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void>
  /** Sends an answer with a picture, or without it if Slack keeps refusing the picture. */
  sendWithPicture<S extends PictureState>(
    client: WebClient,
    target: ReplyTarget,
    picture: S | undefined,
    build: (shown: Shown<S>) => MessageContent,
  ): Promise<void>
  /**
   * Sends an answer at once, and adds its picture as soon as Slack accepts it. If the picture is
   * not a promise, the answer itself contains it.
   *
   * @throws if the answer can't be sent; a picture that can't be added goes to the log
   */
  sendThenAddPicture(
    client: WebClient,
    target: ReplyTarget,
    picture: PictureState | Promise<Picture | undefined>,
    message: MessageWithPicture,
  ): Promise<void>
}

/**
 * How long to wait, in milliseconds, before each retry to add a picture that Slack may still be processing. A
 * `response_url` takes five answers: the message, three tries, and a message that there is no picture.
 */
const PICTURE_RETRIES_MS = [1_000, 2_500]

export function createReplies({
  logger,
  fetch,
  clock,
}: {
  logger: Logger
  fetch: typeof globalThis.fetch
  clock: Clock
}): Replies {
  const { deliver } = createReplyRoutes({ logger, fetch, clock })

  async function send(
    client: WebClient,
    target: ReplyTarget,
    message: MessageContent,
  ): Promise<void> {
    await deliver(client, target, () => message)
  }

  async function sendWithPicture<S extends PictureState>(
    client: WebClient,
    target: ReplyTarget,
    picture: S | undefined,
    build: (shown: Shown<S>) => MessageContent,
  ): Promise<void> {
    await showWithPicture(clock, picture, async (shown) => {
      await deliver(client, target, (direct) => build({ picture: shown, direct }))
    })
  }

  /** @throws if Slack refuses every try */
  async function addPicture(show: () => Promise<unknown>): Promise<void> {
    const waitAfter = (error: unknown, failures: number): number | undefined =>
      isPictureRefused(error) ? PICTURE_RETRIES_MS[failures - 1] : undefined
    await retry({ clock, waitAfter }, () => waitOutRateLimit(clock, show))
  }

  return {
    send,
    replace: (client, target, message) =>
      send(client, { ...target, replacesOriginal: true }, message),
    sendWithPicture,
    async sendThenAddPicture(client, target, picture, { build, buildPicture }) {
      if (!(picture instanceof Promise)) {
        return sendWithPicture(client, target, picture, build)
      }
      let isDirect = false
      const { update, follow } = await deliver(client, target, (direct) => {
        isDirect = direct
        return build({ picture: 'follows', direct })
      })
      const show = (shown: Picture | undefined): Promise<unknown> =>
        update ? update(build({ picture: shown, direct: isDirect })) : follow(buildPicture(shown))
      const uploaded = await picture
      try {
        if (!uploaded) {
          await show(undefined)
          return
        }
        await addPicture(() => show(uploaded)).catch(async (err: unknown) => {
          logger.warn({ err }, 'a picture could not be added to a message')
          await show(undefined)
        })
      } catch (err) {
        logger.warn({ err }, 'Slack did not accept the message that there is no picture')
      }
    },
  }
}
