import type { Message, SlackJson } from '../protocol.ts'

/** Newest messages that a conversation keeps. */
const KEPT = 1000

/** A message with who may see it. */
export interface StoredMessage extends Message {
  /** The one person who sees an ephemeral message. */
  visibleTo?: string
}

export type MessageContent = Pick<Message, 'text'> &
  Partial<Pick<Message, 'blocks' | 'attachments'>>

export interface Messages {
  add(conversationId: string, message: StoredMessage): StoredMessage
  find(conversationId: string, ts: string): StoredMessage | undefined
  /** Gives a message other content, as an edit of the app's. */
  replace(message: StoredMessage, content: MessageContent): void
  /** Hangs attachments on a message, in place of those that it had; it counts as unedited. */
  attach(message: StoredMessage, attachments: SlackJson[]): void
  remove(conversationId: string, ts: string): void
  visible(conversationId: string, viewerId: string): Message[]
}

export function createMessages(changed: () => void): Messages {
  const byConversation = new Map<string, StoredMessage[]>()
  const list = (id: string): StoredMessage[] => byConversation.get(id) ?? []
  return {
    add(conversationId, message) {
      byConversation.set(conversationId, [...list(conversationId), message].slice(-KEPT))
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
