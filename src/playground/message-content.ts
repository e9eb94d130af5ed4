import { z } from 'zod'
import { readAttachments } from './attachments.ts'
import { checkMessageBlocks, type Verdict } from './block-kit/check.ts'
import { withIds } from './block-kit/complete.ts'
import { isMessageTooLong } from './block-kit/message-length.ts'
import type { FileFault } from './block-kit/rules.ts'
import { newId } from '../simulator/workspace/clock.ts'
import type { MessageContent } from '../simulator/workspace/messages.ts'
import type { Refusals } from '../simulator/workspace/refusals.ts'

/** Characters of a message's text. */
const MAX_TEXT = 40_000

const contentSchema = z.object({
  text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.array(z.record(z.string(), z.unknown())).max(100).optional(),
})

/** Reads what an app wants a message to say, as strictly as Slack. */
export type ReadContent = (where: string, body: unknown) => Verdict<MessageContent>

/**
 * A message with blocks and without `text` is taken, as Slack takes it with a warning, and noted
 * as a refusal `missing_text`: nobody who listens to it, or reads a notification, learns what it
 * says. The length of all blocks together is limited where `chat.postMessage` brings them, and not
 * where a response_url does (bolt-js issue 2867).
 */
export function createContentReader(refusals: Refusals, fileFault: FileFault): ReadContent {
  return (where, body) => {
    const parsed = contentSchema.safeParse(body)
    if (!parsed.success) return refused('invalid_arguments', z.prettifyError(parsed.error))
    const { blocks, attachments = [] } = parsed.data
    const text = parsed.data.text ?? ''
    if (text.length > MAX_TEXT) return refused('msg_too_long')
    const hasBlocks = blocks !== undefined && blocks !== null && !isEmptyList(blocks)
    if (text === '' && !hasBlocks && attachments.length === 0) return refused('no_text')
    const checked = hasBlocks ? checkMessageBlocks(blocks, fileFault) : undefined
    if (checked?.ok === false) return checked
    if (where === 'chat.postMessage' && checked && isMessageTooLong(checked.value)) {
      return refused('msg_blocks_too_long')
    }
    const attached = readAttachments(attachments, fileFault)
    if (!attached.ok) return attached
    if (text === '' && hasBlocks) {
      refusals.add(where, 'missing_text', ['a message with blocks has no text beside them'])
    }
    return {
      ok: true,
      value: {
        text,
        ...(checked && { blocks: withIds(checked.value, () => newId('', 5)) }),
        ...(attachments.length > 0 && { attachments: attached.value }),
      },
    }
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function refused(error: string, ...messages: string[]): Verdict<never> {
  return { ok: false, error, messages }
}
