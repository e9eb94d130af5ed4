import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import type { MessageContent, Picture, PictureState } from '../block-kit/elements.ts'
import type { ReplyTarget } from './caller.ts'
import { isPictureRefused, showWithPicture } from './pictures.ts'
import { DeadResponseUrlError, routesTo, type SentMessage } from './reply-routes.ts'
import { patiently, type SlackPost } from './slack-client.ts'
import { isTemporary } from './slack-errors.ts'

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

/** If Slack asks to wait longer than this many milliseconds, the answer takes another route. */
const SHORT_WAIT_MS = 3_000

/** How long to wait before trying again if all routes failed temporarily, in milliseconds. */
const PAUSES_MS = [1_000, 5_000, 15_000]

/** Sends answers to users. */
export type Replies = ReturnType<typeof createReplies>

export function createReplies({
  logger,
  post,
  clock,
}: {
  logger: Logger
  post: SlackPost
  clock: Clock
}) {
  /** @throws at once if Slack refuses the picture in the message; otherwise an error that may pass, if there is one */
  async function deliver(
    client: WebClient,
    target: ReplyTarget,
    build: (direct: boolean) => MessageContent,
  ): Promise<SentMessage> {
    const routes = routesTo(client, target, post)
    return patiently(clock, { pausesMs: PAUSES_MS }, async () => {
      let failure: unknown = new DeadResponseUrlError('there is none')
      for (const { name, direct, send } of routes) {
        const message = build(direct)
        try {
          return await patiently(clock, { limitedMs: SHORT_WAIT_MS }, () => send(message))
        } catch (error) {
          if (isPictureRefused(error)) throw error
          logger.warn({ err: error, route: name }, 'Slack did not accept an answer')
          if (isTemporary(error) || !isTemporary(failure)) failure = error
        }
      }
      throw failure
    })
  }

  /**
   * Sends an answer on the first route that Slack accepts: through the `response_url`, as an ephemeral message in the
   * same conversation, or as a direct message. If all of them fail temporarily, it waits and tries again.
   *
   * @throws if Slack accepts none of them
   */
  async function send(
    client: WebClient,
    target: ReplyTarget,
    message: MessageContent,
  ): Promise<void> {
    await deliver(client, target, () => message)
  }

  /** Sends an answer with a picture, or without it if Slack keeps refusing the picture. */
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

  return {
    send,
    sendWithPicture,

    /** Replaces the message whose button was pressed, or sends a new one if that fails. */
    replace: (client: WebClient, target: ReplyTarget, message: MessageContent): Promise<void> =>
      send(client, { ...target, replacesOriginal: true }, message),

    /**
     * Sends an answer at once, and adds its picture as soon as Slack accepts it. If the picture is
     * not a promise, the answer itself contains it.
     *
     * @throws if the answer can't be sent; a picture that can't be added goes to the log
     */
    async sendThenAddPicture(
      client: WebClient,
      target: ReplyTarget,
      picture: PictureState | Promise<Picture | undefined>,
      { build, buildPicture }: MessageWithPicture,
    ): Promise<void> {
      if (!(picture instanceof Promise)) {
        return sendWithPicture(client, target, picture, build)
      }
      let isDirect = false
      const { update, follow } = await deliver(client, target, (direct) => {
        isDirect = direct
        return build({ picture: 'follows', direct })
      })
      const show = async (shown: Picture | undefined): Promise<void> => {
        await patiently(clock, {}, () =>
          update
            ? update(build({ picture: shown, direct: isDirect }))
            : follow(buildPicture(shown)),
        )
      }
      await showWithPicture(clock, await picture, show)
        .catch((err: unknown) => {
          logger.warn({ err }, 'a picture could not be added to a message')
          return show(undefined)
        })
        .catch((err: unknown) => {
          logger.warn({ err }, 'Slack did not accept the message that there is no picture')
        })
    },
  }
}
