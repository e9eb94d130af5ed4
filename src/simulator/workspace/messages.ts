import type { Message, SlackJson } from '../protocol.ts'
import { unescaped } from '../shared/slack-json.ts'
import { APP, TEAM } from './seeds.ts'

const MAX_MESSAGES = 1000

export type MessageContent = Pick<Message, 'text' | 'blocks'>

export function createMessages(newTs: () => string) {
  const byConversation = new Map<string, Message[]>()
  const list = (id: string): Message[] => byConversation.get(id) ?? []
  return {
    add(
      conversationId: string,
      added: Pick<Message, 'author' | 'text'> & Partial<Message>,
    ): Message {
      const ephemeral = added.visibleTo !== undefined
      const message = { ts: newTs(), ephemeral, edited: false, ...added }
      byConversation.set(conversationId, [...list(conversationId), message].slice(-MAX_MESSAGES))
      return message
    },
    find: (conversationId: string, ts: string) =>
      list(conversationId).find((message) => message.ts === ts),
    replace(message: Message, content: MessageContent): void {
      delete message.blocks
      delete message.attachments
      Object.assign(message, content, { edited: true })
    },
    remove(conversationId: string, ts: string): void {
      const others = list(conversationId).filter((message) => message.ts !== ts)
      byConversation.set(conversationId, others)
    },
    visible: (conversationId: string, viewerId: string): Message[] =>
      list(conversationId)
        .filter(({ visibleTo }) => visibleTo === undefined || visibleTo === viewerId)
        .map((message) => ({ ...message })),
  }
}

/** Converts text that a person writes to what Slack stores: `&`, `<` and `>` escaped, and URLs in `<…>`. */
export function toMrkdwn(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/https?:\/\/(?:(?!&[lg]t;)\S)+[^\s.,;:!?)&]/g, '<$&>')
}

export function urlsInMrkdwn(text: string): string[] {
  const urls = [...text.matchAll(/<(https?:\/\/[^>|]+)(?:\|[^>]*)?>/g)].map(([, url = '']) => url)
  return [...new Set(urls.map(unescaped))]
}

export function linksOn(domains: readonly string[], text: string) {
  return urlsInMrkdwn(text).flatMap((url) => {
    const hostname = URL.parse(url)?.hostname ?? ''
    const domain = domains.find((name) => hostname === name || hostname.endsWith(`.${name}`))
    return domain === undefined ? [] : [{ domain, url }]
  })
}

export function messagePayload(message: Message): SlackJson {
  return {
    type: 'message',
    ...(message.author.kind === 'app'
      ? { user: APP.userId, bot_id: APP.botId, app_id: APP.id }
      : { user: message.author.id }),
    ts: message.ts,
    team: TEAM.id,
    text: message.text,
    ...(message.blocks && { blocks: message.blocks }),
    ...(message.attachments && { attachments: message.attachments }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.edited && { edited: { user: APP.userId, ts: message.ts } }),
  }
}
