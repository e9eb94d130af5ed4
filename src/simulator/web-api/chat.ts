import { z } from 'zod'
import { messagePayload } from '../app/payloads.ts'
import type { Parts } from '../parts.ts'
import type { Messages, StoredMessage } from '../workspace/messages.ts'
import type { Conversation } from '../protocol.ts'
import { dmId, PEOPLE } from '../workspace/seeds.ts'
import { accepted, json, method, SlackRefusal, type Method } from './method.ts'

const contentFields = {
  text: z.string().optional(),
  blocks: json(z.unknown()).optional(),
  attachments: json(z.unknown()).optional(),
}

const posted = z.object({ channel: z.string(), thread_ts: z.string().optional(), ...contentFields })
const existing = z.object({ channel: z.string(), ts: z.string() })

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': method(
    posted,
    (parts, args) => {
      const channel = writable(parts, args.channel)
      const message = post(parts, 'chat.postMessage', channel, args)
      return { channel: channel.id, ts: message.ts, message: messagePayload(message) }
    },
    'chat:write',
  ),

  'chat.postEphemeral': method(
    posted.extend({ user: z.string() }),
    (parts, args) => {
      const channel = writable(parts, args.channel)
      const member =
        channel.kind === 'app_dm'
          ? channel.id === dmId(args.user)
          : PEOPLE.some(({ id }) => id === args.user)
      if (!member) throw new SlackRefusal('user_not_in_channel')
      const message = post(parts, 'chat.postEphemeral', channel, args, args.user)
      return { message_ts: message.ts }
    },
    'chat:write',
  ),

  'chat.update': method(
    existing.extend(contentFields),
    (parts, args) => {
      const { channel, message } = own(parts, args)
      parts.messages.replace(message, accepted(parts.readContent('chat.update', args)))
      return {
        channel: channel.id,
        ts: message.ts,
        text: message.text,
        message: messagePayload(message),
      }
    },
    'chat:write',
  ),
}

/** Finds a conversation that the app may write in. A person's id means their direct messages. */
export function writable({ conversations }: Parts, id: string): Conversation {
  const channel = conversations.get(id.startsWith('U') ? dmId(id) : id)
  if (!channel) throw new SlackRefusal('channel_not_found')
  if (!channel.appIsMember) throw new SlackRefusal('not_in_channel')
  return channel
}

function post(
  { messages, clock, readContent }: Parts,
  where: string,
  channel: Conversation,
  args: z.output<typeof posted>,
  visibleTo?: string,
): StoredMessage {
  const content = accepted(readContent(where, args))
  assertThread(messages, channel.id, args.thread_ts)
  return messages.add(channel.id, {
    ts: clock.ts(),
    ...(args.thread_ts !== undefined && { threadTs: args.thread_ts }),
    author: { kind: 'app' },
    ...content,
    files: [],
    ephemeral: visibleTo !== undefined,
    edited: false,
    ...(visibleTo !== undefined && { visibleTo }),
  })
}

/** @throws SlackRefusal unless the message to reply to exists and is not ephemeral */
export function assertThread(
  messages: Messages,
  channelId: string,
  threadTs: string | undefined,
): void {
  if (threadTs === undefined) return
  const parent = messages.find(channelId, threadTs)
  if (!parent || parent.ephemeral) throw new SlackRefusal('thread_not_found')
}

/** Finds a message that the app has posted for everyone. */
function own(
  { conversations, messages }: Parts,
  { channel: channelId, ts }: z.output<typeof existing>,
): { channel: Conversation; message: StoredMessage } {
  const channel = conversations.get(channelId)
  if (!channel) throw new SlackRefusal('channel_not_found')
  const message = messages.find(channelId, ts)
  if (!message || message.ephemeral) throw new SlackRefusal('message_not_found')
  if (message.author.kind !== 'app') throw new SlackRefusal('cant_update_message')
  return { channel, message }
}
