import type { Message, SlackJson } from '../protocol.ts'

/** How many of a conversation's newest messages are kept. */
const MAX_MESSAGES = 1000

export interface StoredMessage extends Message {
  /** The only person who sees an ephemeral message. */
  visibleTo?: string | undefined
}

export type MessageContent = Pick<Message, 'text' | 'blocks'>

export type Messages = ReturnType<typeof createMessages>

/** The messages of all conversations. */
export function createMessages(changed: () => void) {
  const byConversation = new Map<string, StoredMessage[]>()
  const list = (id: string): StoredMessage[] => byConversation.get(id) ?? []
  return {
    /** Posts a message, by default for everyone. */
    add(
      conversationId: string,
      added: Pick<StoredMessage, 'ts' | 'author' | 'text'> & Partial<StoredMessage>,
    ): StoredMessage {
      const message = {
        ephemeral: added.visibleTo !== undefined,
        edited: false,
        ...added,
      }
      byConversation.set(conversationId, [...list(conversationId), message].slice(-MAX_MESSAGES))
      changed()
      return message
    },
    find: (conversationId: string, ts: string) => list(conversationId).find((one) => one.ts === ts),
    /** Replaces a message's content and marks it as edited. */
    replace(message: StoredMessage, content: MessageContent): void {
      delete message.blocks
      delete message.attachments
      Object.assign(message, content, { edited: true })
      changed()
    },
    /** Replaces a message's attachments, which does not count as an edit. */
    attach(message: StoredMessage, attachments: SlackJson[]): void {
      message.attachments = attachments
      changed()
    },
    remove(conversationId: string, ts: string): void {
      byConversation.set(
        conversationId,
        list(conversationId).filter((one) => one.ts !== ts),
      )
      changed()
    },
    visible: (conversationId: string, viewerId: string): Message[] =>
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
