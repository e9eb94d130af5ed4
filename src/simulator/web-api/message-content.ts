import { z } from 'zod'
import { checkMessageBlocks, isMessageTooLong } from '../block-kit/check.ts'
import type { Parts } from '../parts.ts'
import type { SlackJson } from '../protocol.ts'
import { withIds } from '../shared/slack-json.ts'
import { newId } from '../workspace/clock.ts'
import type { MessageContent } from '../workspace/messages.ts'
import { SlackRefusal } from '../workspace/refusals.ts'

const MAX_TEXT_CHARACTERS = 40_000

const contentSchema = z.object({
  text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.undefined('the simulator attaches only unfurls').optional(),
})

/**
 * Checks the text and the blocks of a message. Slack accepts blocks without `text`, but screen readers and
 * notifications would say nothing, so this records the refusal `missing_text`. Slack limits the total length of all
 * blocks in `chat.postMessage`, but not in a message to a response_url (bolt-js issue 2867).
 */
export function messageContent(parts: Parts, where: string, body: unknown): MessageContent {
  const parsed = contentSchema.safeParse(body)
  if (!parsed.success) throw new SlackRefusal('invalid_arguments', [z.prettifyError(parsed.error)])
  const { blocks } = parsed.data
  const text = parsed.data.text ?? ''
  if (text.length > MAX_TEXT_CHARACTERS) throw new SlackRefusal('msg_too_long')
  const isEmpty = Array.isArray(blocks) && blocks.length === 0
  if (isEmpty || blocks === undefined || blocks === null) {
    if (text === '') throw new SlackRefusal('no_text')
    return { text }
  }
  const checked = checkedBlocks(parts, blocks)
  if (where === 'chat.postMessage' && isMessageTooLong(checked)) {
    throw new SlackRefusal('msg_blocks_too_long')
  }
  if (text === '') parts.refusals.add(where, 'missing_text', ['the message has blocks but no text'])
  return { text, blocks: checked }
}

const unfurlSchema = z.strictObject({ blocks: z.unknown() })

export function unfurlBlocks(parts: Parts, url: string, unfurl: unknown): SlackJson[] {
  try {
    return checkedBlocks(parts, unfurlSchema.parse(unfurl).blocks, ['unfurls', url, 'blocks'])
  } catch (error) {
    const details = error instanceof SlackRefusal ? error.details : [String(error)]
    throw new SlackRefusal('cannot_parse_attachment', details)
  }
}

function checkedBlocks({ pictures }: Parts, blocks: unknown, root?: readonly string[]) {
  return withIds(checkMessageBlocks(blocks, pictures, root), () => newId('', 5))
}
