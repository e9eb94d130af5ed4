import { WebAPIRateLimitedError, WebAPIRequestError, type WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { Clock } from '../../timing/clock.ts'
import { textMessage, type MessageContent, type PictureState } from '../block-kit/messages.ts'
import type { Field } from '../block-kit/fields.ts'
import type { ReplyTarget } from './caller.ts'
import { errorAt } from './field-errors.ts'
import { isPictureRefused, showLinked, showUploaded, type PictureSource } from './pictures.ts'
import { patiently, type SlackPost } from './slack-client.ts'
import { isRefusal, isTemporary, isTimeout } from './slack-errors.ts'

export interface Shown {
  picture: PictureState
  direct: boolean // a direct message from the app, not a message in the conversation
}

interface MessageWithPicture {
  build: (shown: Shown) => MessageContent
  /** Builds a second message if the route can't update the first one. Returns undefined if none should be sent. */
  buildPicture: (picture: PictureState) => MessageContent | undefined
}

const RATE_LIMIT_WAIT_MS = 3_000 // After a longer rate limit, the next route is tried.

const RETRY_PAUSES_MS = [1_000, 5_000, 15_000] // after all routes have failed temporarily

/**
 * Answers users. An answer can take three routes: the `response_url` of the request, an ephemeral message in the
 * conversation, or a direct message. Slack refuses some, such as ephemeral messages where the app isn't a member.
 */
export interface Replies {
  send: (client: WebClient, target: ReplyTarget, message: MessageContent) => Promise<void>
  /** Sends an answer with a picture. If the picture has to be uploaded, it is added later, in the background. */
  sendWithPicture: (
    client: WebClient,
    target: ReplyTarget,
    source: PictureSource,
    message: MessageWithPicture,
  ) => Promise<void>
}

interface ReplyTools {
  clock: Clock
  logger: Logger
  tasks: InFlightTasks
  post: SlackPost
}

interface Delivery extends ReplyTools {
  client: WebClient
  target: ReplyTarget
}

export function createReplies(tools: ReplyTools): Replies {
  return {
    async send(client, target, message) {
      await deliver({ ...tools, client, target }, () => message)
    },

    async sendWithPicture(client, target, source, message) {
      const delivery = { ...tools, client, target }
      const isShown = await showLinked(source, (picture) =>
        deliver(delivery, (direct) => message.build({ picture, direct }), true),
      )
      if (!isShown) await sendThenAddPicture(delivery, source.upload, message)
    },
  }
}

/**
 * Sends a message on the first route that Slack accepts, and returns this route. If all fail temporarily, tries again.
 * @param isLinked true if Slack loads the message's picture from an address. A timeout then counts as a refused picture
 * @throws at once if Slack refuses the picture, or else a temporary error if there was one
 */
async function deliver(
  { client, target, clock, logger, post }: Delivery,
  build: (direct: boolean) => MessageContent,
  isLinked = false,
): Promise<Route> {
  const routes = routesTo(client, target, post)
  if (routes.length === 0) throw new DeadResponseUrlError('no response_url')
  // With `only`, there are no retries, because the caller sends a new message if this one can't be replaced at once.
  const patience =
    target.replacesOriginal === 'only' ? { limitedMs: 0 } : { pausesMs: RETRY_PAUSES_MS }
  return patiently(clock, patience, async () => {
    let failure: unknown
    for (const route of routes) {
      const message = build(route.direct)
      try {
        await patiently(clock, { limitedMs: RATE_LIMIT_WAIT_MS }, () => route.send(message))
        return route
      } catch (error) {
        if (isPictureRefused(error)) throw error
        // Slack is probably still waiting for the picture. `isPictureRefused` recognizes this error code.
        if (isLinked && isTimeout(error)) throw new MessageRefusedError('invalid_blocks')
        logger.warn({ err: error, route: route.name }, 'Slack did not accept an answer')
        if (isTemporary(error) || !isTemporary(failure)) failure = error
      }
    }
    throw failure
  })
}

async function sendThenAddPicture(
  delivery: Delivery,
  upload: PictureSource['upload'],
  { build, buildPicture }: MessageWithPicture,
) {
  const { clock, logger, target, tasks } = delivery
  const sendWith = (picture: PictureState) =>
    deliver(delivery, (direct) => build({ picture, direct }))
  if (typeof upload !== 'function') return sendWith(upload)
  // A replaced message gets no uploaded picture, because a `response_url` accepts only five answers.
  if (target.replacesOriginal === 'only') return sendWith(undefined)
  const uploading = upload()
  const { direct, send, update } = await sendWith('follows')
  const show = async (picture: PictureState): Promise<void> => {
    const message = update ? build({ picture, direct }) : buildPicture(picture)
    if (message) await patiently(clock, {}, () => (update ?? send)(message))
  }
  return tasks.runInBackground(
    async () =>
      showUploaded(clock, await uploading, show).catch((err: unknown) => {
        logger.warn({ err }, 'a picture could not be added to a message')
        return show(undefined)
      }),
    'Slack did not accept the message that there is no picture',
  )
}

type Send = (message: MessageContent) => Promise<unknown>

interface Route {
  name: 'response_url' | 'chat.postEphemeral' | 'chat.postMessage'
  direct: boolean
  send: Send
  update?: Send | undefined // replaces the first message
}

const NO_UNFURLS = { unfurl_links: false, unfurl_media: false }

function routesTo(client: WebClient, target: ReplyTarget, post: SlackPost): Route[] {
  const { responseUrl, channelId, userId, threadTs, inChannel, replacesOriginal } = target
  const inThread = threadTs === undefined ? {} : { thread_ts: threadTs }
  const routes: Route[] = []
  if (responseUrl) {
    const send: Send = (message) =>
      postToResponseUrl(post, responseUrl, {
        ...message,
        ...NO_UNFURLS,
        replace_original: Boolean(replacesOriginal),
        response_type: inChannel ? 'in_channel' : 'ephemeral',
        ...inThread,
      })
    // A `response_url` can replace only the message whose button was pressed, not an earlier answer.
    const update = replacesOriginal ? send : undefined
    routes.push({ name: 'response_url', direct: false, send, update })
  }
  if (replacesOriginal === 'only') return routes
  // An ephemeral message would be lost in a thread that isn't open, so a thread's next route is a direct message.
  if (channelId && !inChannel) {
    routes.push({
      name: 'chat.postEphemeral',
      direct: false,
      send: (message) =>
        client.chat.postEphemeral({ channel: channelId, user: userId, ...message, ...inThread }),
    })
  }
  let posted = { channel: '', ts: '' }
  routes.push({
    name: 'chat.postMessage',
    direct: true,
    async send(message) {
      const { channel = '', ts = '' } = await postTo(client, userId, message)
      posted = { channel, ts }
    },
    update: (changed) => client.chat.update({ ...posted, ...changed }),
  })
  return routes
}

export function postTo(client: WebClient, place: string, message: MessageContent) {
  return client.chat.postMessage({ channel: place, ...message, ...NO_UNFURLS })
}

/** Announces what Backhalf will post in a channel. @throws SlackInputError at `field` if Slack refuses the message */
export async function announce(
  client: WebClient,
  { channel, text, field }: { channel: string; text: string; field: Field },
): Promise<void> {
  await client.chat.postMessage({ channel, ...textMessage(text) }).catch((cause: unknown) => {
    if (!isRefusal(cause)) throw cause
    const message =
      'Backhalf can’t post in this channel yet. Type /invite @Backhalf there, then save again. If that doesn’t help, choose another channel.'
    throw errorAt(field, message, { cause })
  })
}

class MessageRefusedError extends Error {
  override readonly name = 'MessageRefusedError'
  readonly data: { error: string } // as in web-api's errors, so that `slackErrorCode` finds it

  constructor(code: string) {
    super(`Slack refused the message: ${code}`)
    this.data = { error: code }
  }
}

/** Thrown if a `response_url` no longer works, because it is older than 30 minutes or was used five times. */
export class DeadResponseUrlError extends MessageRefusedError {}

/** Throws errors like those of the Web API, so that callers handle all routes alike. */
async function postToResponseUrl(post: SlackPost, url: string, body: object): Promise<void> {
  const response = await post(url, body).catch((error: unknown) => {
    throw error instanceof Error ? new WebAPIRequestError(error) : error
  })
  const { status, text } = response
  if (status === 429) {
    throw new WebAPIRateLimitedError(Number.parseInt(response.header('retry-after') ?? '', 10) || 1)
  }
  const code = /\b(invalid_blocks\w*)\b/.exec(text)?.[1] ?? /"error":\s*"(\w+)"/.exec(text)?.[1]
  if (status >= 500) throw new MessageRefusedError('service_unavailable')
  if (status === 404) throw new DeadResponseUrlError(code ?? 'HTTP 404')
  if (status < 200 || status >= 300 || code) throw new MessageRefusedError(code ?? `HTTP ${status}`)
}
