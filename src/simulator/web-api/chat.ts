import { z } from 'zod'
import { messageContent, unfurlBlocks } from '../app/app-messages.ts'
import type { Parts } from '../parts.ts'
import type { Conversation, Message, SlackJson } from '../protocol.ts'
import { linksOn, messagePayload, urlsInMrkdwn } from '../workspace/messages.ts'
import { dmId, PEOPLE, APP } from '../workspace/seeds.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { json, method, ownChannel } from './method.ts'

const contentFields = {
  text: z.string().optional(),
  blocks: json(z.unknown()).optional(),
  attachments: z.undefined('the simulator attaches only unfurls').optional(),
}

const postArgs = z.object({
  channel: z.string(),
  thread_ts: z.string().optional(),
  ...contentFields,
})
const ephemeralArgs = postArgs.extend({ user: z.string() })
const messageArgs = z.object({ channel: z.string(), ts: z.string() })
const unfurlsSchema = z.record(z.string(), z.record(z.string(), z.unknown()))
const unfurlArgs = messageArgs.extend({ unfurls: json(z.unknown()).optional() })

export const chatMethods = {
  'chat.postMessage': method('chat:write', postArgs, (parts, args) => {
    const channel = writableChannel(parts, args.channel)
    const message = post(parts, 'chat.postMessage', channel, args)
    return { channel: channel.id, ts: message.ts, message: messagePayload(message) }
  }),

  'chat.postEphemeral': method('chat:write', ephemeralArgs, (parts, { user, ...args }) => {
    const channel = writableChannel(parts, args.channel)
    const isMember =
      channel.kind === 'app_dm' ? channel.id === dmId(user) : PEOPLE.some(({ id }) => id === user)
    if (!isMember) throw new SlackRefusal('user_not_in_channel')
    return { message_ts: post(parts, 'chat.postEphemeral', channel, args, user).ts }
  }),

  'chat.update': method('chat:write', messageArgs.extend(contentFields), (parts, args) => {
    const errors = { noChannel: 'channel_not_found', noMessage: 'message_not_found' }
    const message = findMessage(parts, args, errors)
    if (message.author.kind !== 'app') throw new SlackRefusal('cant_update_message')
    parts.messages.replace(message, messageContent(parts, 'chat.update', args))
    const { ts, text } = message
    return { channel: args.channel, ts, text, message: messagePayload(message) }
  }),

  /** Adds previews of links to a message. The app need not be a member of the message's channel. */
  'chat.unfurl': method('links:write', unfurlArgs, (parts, args) => {
    const errors = { noChannel: 'cannot_find_channel', noMessage: 'cannot_find_message' }
    const message = findMessage(parts, args, errors)
    if (args.unfurls === undefined) throw new SlackRefusal('missing_unfurls')
    const { data: unfurls } = unfurlsSchema.safeParse(args.unfurls)
    if (!unfurls) throw new SlackRefusal('invalid_unfurls_format')
    checkUrls(parts, message, Object.keys(unfurls))
    // In Slack, an unfurl does not count as an edit of the message.
    message.attachments = mergeAttachments(parts, message, unfurls)
    return {}
  }),
}

/** @param id of a channel, or of a person, which means the app's direct messages with that person */
function writableChannel(parts: Parts, id: string): Conversation {
  return ownChannel(parts, id.startsWith('U') ? dmId(id) : id)
}

function post(
  parts: Parts,
  where: string,
  channel: Conversation,
  args: z.output<typeof postArgs>,
  visibleTo?: string,
): Message {
  const content = messageContent(parts, where, args)
  const { thread_ts: threadTs } = args
  const parent = parts.messages.find(channel.id, threadTs ?? '')
  if (threadTs !== undefined && (!parent || parent.ephemeral)) {
    throw new SlackRefusal('thread_not_found')
  }
  const author = { kind: 'app' } as const
  return parts.messages.add(channel.id, { threadTs, author, ...content, visibleTo })
}

function findMessage(
  { conversations, messages }: Parts,
  { channel, ts }: z.output<typeof messageArgs>,
  errors: { noChannel: string; noMessage: string },
): Message {
  if (!conversations.get(channel)) throw new SlackRefusal(errors.noChannel)
  const message = messages.find(channel, ts)
  if (!message || message.ephemeral) throw new SlackRefusal(errors.noMessage)
  return message
}

function checkUrls({ manifest, grants }: Parts, message: Message, urls: string[]): void {
  const urlsInMessage = urlsInMrkdwn(message.text)
  const appUrls = linksOn(manifest.features.unfurl_domains, message.text).map(({ url }) => url)
  const wasNotified = message.author.kind === 'person' && grants.latest()?.scopes.has('links:read')
  for (const url of urls) {
    if (!urlsInMessage.includes(url)) throw new SlackRefusal('cannot_unfurl_message')
    if (!appUrls.includes(url) || !wasNotified) throw new SlackRefusal('cannot_unfurl_url')
  }
}

function mergeAttachments(
  parts: Parts,
  { attachments = [] }: Message,
  unfurls: Record<string, unknown>,
): SlackJson[] {
  const byUrl = new Map(attachments.map((attachment) => [attachment.app_unfurl_url, attachment]))
  for (const [url, unfurl] of Object.entries(unfurls)) {
    byUrl.set(url, {
      blocks: unfurlBlocks(parts, url, unfurl),
      from_url: url,
      app_unfurl_url: url,
      is_app_unfurl: true,
      bot_id: APP.botId,
    })
  }
  return [...byUrl.values()].map((attachment, index) => ({ ...attachment, id: index + 1 }))
}
