import type { Message, SlackJson } from '../protocol.ts'

/** How many of a conversation's newest messages are kept. */
const MAX_MESSAGES = 1000

export interface StoredMessage extends Message {
  /** The only person who sees an ephemeral message. */
  visibleTo?: string
}

export type MessageContent = Pick<Message, 'text'> &
  Partial<Pick<Message, 'blocks' | 'attachments'>>

export interface Messages {
  add(conversationId: string, message: StoredMessage): StoredMessage
  find(conversationId: string, ts: string): StoredMessage | undefined
  /** Replaces a message's content and marks it as edited. */
  replace(message: StoredMessage, content: MessageContent): void
  /** Replaces a message's attachments, which does not count as an edit. */
  attach(message: StoredMessage, attachments: SlackJson[]): void
  remove(conversationId: string, ts: string): void
  visible(conversationId: string, viewerId: string): Message[]
}

export function createMessages(changed: () => void): Messages {
  const byConversation = new Map<string, StoredMessage[]>()
  const list = (id: string): StoredMessage[] => byConversation.get(id) ?? []
  return {
    add(conversationId, message) {
      byConversation.set(conversationId, [...list(conversationId), message].slice(-MAX_MESSAGES))
      changed()
      return message
    },
    find: (conversationId, ts) => list(conversationId).find((one) => one.ts === ts),
    replace(message, content) {
      delete message.blocks
      delete message.attachments
      Object.assign(message, content, { edited: true })
      changed()
    },
    attach(message, attachments) {
      message.attachments = attachments
      changed()
    },
    remove(conversationId, ts) {
      byConversation.set(
        conversationId,
        list(conversationId).filter((one) => one.ts !== ts),
      )
      changed()
    },
    visible: (conversationId, viewerId) =>
      list(conversationId)
        .filter(({ visibleTo }) => visibleTo === undefined || visibleTo === viewerId)
        .map(({ visibleTo: _, ...message }) => message),
  }
}

/** What a person typed, as Slack stores it: `&`, `<` and `>` escaped, URLs in `<…>`. */
export function toMrkdwn(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/https?:\/\/(?:(?!&[lg]t;)\S)+[^\s.,;:!?)&]/g, '<$&>')
}
