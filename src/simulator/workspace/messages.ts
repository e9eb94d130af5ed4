import { z } from 'zod'
import { checkMessageBlocks, isMessageTooLong } from '../block-kit/check.ts'
import { withIds } from '../shared/placed-elements.ts'
import type { Message, SlackJson } from '../protocol.ts'
import { newId } from './clock.ts'
import type { Files } from './files.ts'
import type { Images } from './images.ts'
import { SlackRefusal, type Refusals } from './refusals.ts'

const MAX_MESSAGES = 1000

export interface StoredMessage extends Message {
  visibleTo?: string | undefined
}

export type MessageContent = Pick<Message, 'text' | 'blocks'>

export type Messages = ReturnType<typeof createMessages>

export function createMessages() {
  const byConversation = new Map<string, StoredMessage[]>()
  const list = (id: string): StoredMessage[] => byConversation.get(id) ?? []
  return {
    add(
      conversationId: string,
      added: Pick<StoredMessage, 'ts' | 'author' | 'text'> & Partial<StoredMessage>,
    ): StoredMessage {
      const message = { ephemeral: added.visibleTo !== undefined, edited: false, ...added }
      byConversation.set(conversationId, [...list(conversationId), message].slice(-MAX_MESSAGES))
      return message
    },
    find: (conversationId: string, ts: string) => list(conversationId).find((one) => one.ts === ts),
    replace(message: StoredMessage, content: MessageContent): void {
      delete message.blocks
      delete message.attachments
      Object.assign(message, content, { edited: true })
    },
    remove(conversationId: string, ts: string): void {
      const others = list(conversationId).filter((one) => one.ts !== ts)
      byConversation.set(conversationId, others)
    },
    visible: (conversationId: string, viewerId: string): Message[] =>
      list(conversationId)
        .filter(({ visibleTo }) => visibleTo === undefined || visibleTo === viewerId)
        .map(({ visibleTo: _, ...message }) => message),
  }
}

/** Converts typed text to what Slack stores: `&`, `<` and `>` escaped, and URLs in `<…>`. */
export function toMrkdwn(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/https?:\/\/(?:(?!&[lg]t;)\S)+[^\s.,;:!?)&]/g, '<$&>')
}

const MAX_TEXT_CHARACTERS = 40_000

const contentSchema = z.object({
  text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.undefined('the simulator attaches only unfurls').optional(),
})

/** The app uses no other fields, and the page draws none. */
const unfurlSchema = z.strictObject({ blocks: z.unknown() })

export type ContentReader = ReturnType<typeof createContentReader>

export function createContentReader(refusals: Refusals, files: Files, images: Images) {
  const pictures = { file: (file: SlackJson) => files.check(file), image: images.check }
  const readBlocks = (given: unknown, root?: readonly string[]): SlackJson[] =>
    withIds(checkMessageBlocks(given, pictures, root), () => newId('', 5))

  return {
    /**
     * Accepts blocks without `text`, as Slack does, but records a refusal `missing_text`: screen readers and
     * notifications would say nothing. Slack limits the total length of all blocks in `chat.postMessage`, but not in
     * a message to a response_url (bolt-js issue 2867).
     */
    message(where: string, body: unknown): MessageContent {
      const parsed = contentSchema.safeParse(body)
      if (!parsed.success) {
        throw new SlackRefusal('invalid_arguments', [z.prettifyError(parsed.error)])
      }
      const { blocks } = parsed.data
      const text = parsed.data.text ?? ''
      if (text.length > MAX_TEXT_CHARACTERS) throw new SlackRefusal('msg_too_long')
      const isEmpty = Array.isArray(blocks) && blocks.length === 0
      if (isEmpty || blocks === undefined || blocks === null) {
        if (text === '') throw new SlackRefusal('no_text')
        return { text }
      }
      const read = readBlocks(blocks)
      if (where === 'chat.postMessage' && isMessageTooLong(read)) {
        throw new SlackRefusal('msg_blocks_too_long')
      }
      if (text === '') refusals.add(where, 'missing_text', ['the message has blocks but no text'])
      return { text, blocks: read }
    },

    unfurl(url: string, given: unknown): SlackJson[] {
      try {
        return readBlocks(unfurlSchema.parse(given).blocks, ['unfurls', url, 'blocks'])
      } catch (error) {
        const details = error instanceof SlackRefusal ? error.details : [String(error)]
        throw new SlackRefusal('cannot_parse_attachment', details)
      }
    },
  }
}
