import { z } from 'zod'
import { checkMessageBlocks, isMessageTooLong, type CheckResult } from '../block-kit/check.ts'
import { withIds } from '../block-kit/placed-elements.ts'
import type { CheckSlackFile } from '../block-kit/rules.ts'
import type { SlackJson } from '../protocol.ts'
import { newId } from './clock.ts'
import type { MessageContent } from './messages.ts'
import type { Refusals } from './refusals.ts'

/** The maximum length of a message's text, in characters. */
const MAX_TEXT = 40_000

const contentSchema = z.object({
  text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.array(z.record(z.string(), z.unknown())).max(100).optional(),
})

/** Reads the content of a message that an app sends, as strictly as Slack. */
export type ReadContent = (where: string, body: unknown) => CheckResult<MessageContent>

/**
 * Slack accepts a message that has blocks but no `text`, with a warning. The simulator accepts it
 * too, and records a refusal `missing_text`: screen readers and notifications would say nothing.
 * Slack limits the total length of all blocks in `chat.postMessage`, but not in an answer to a
 * response_url (bolt-js issue 2867).
 */
export function createContentReader(
  refusals: Refusals,
  checkFile: CheckSlackFile,
  reachesLoopback = false,
): ReadContent {
  return (where, body) => {
    const parsed = contentSchema.safeParse(body)
    if (!parsed.success) return rejected('invalid_arguments', z.prettifyError(parsed.error))
    const { blocks, attachments = [] } = parsed.data
    const text = parsed.data.text ?? ''
    if (text.length > MAX_TEXT) return rejected('msg_too_long')
    const hasBlocks = blocks !== undefined && blocks !== null && !isEmptyList(blocks)
    if (text === '' && !hasBlocks && attachments.length === 0) return rejected('no_text')
    const checked = hasBlocks
      ? checkMessageBlocks(blocks, checkFile, ['blocks'], reachesLoopback)
      : undefined
    if (checked?.ok === false) return checked
    if (where === 'chat.postMessage' && checked && isMessageTooLong(checked.value)) {
      return rejected('msg_blocks_too_long')
    }
    const attached = readAttachments(attachments, checkFile, ['attachments'], reachesLoopback)
    if (!attached.ok) return attached
    if (text === '' && hasBlocks) {
      refusals.add(where, 'missing_text', ['the message has blocks but no text'])
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

/**
 * Checks the blocks in attachments against Slack's rules, and adds the ids that Slack adds.
 *
 * @param root the path of the attachments in the request, for JSON pointers
 */
export function readAttachments(
  attachments: readonly SlackJson[],
  checkFile: CheckSlackFile,
  root: readonly (string | number)[] = ['attachments'],
  reachesLoopback = false,
): CheckResult<SlackJson[]> {
  const read: SlackJson[] = []
  const messages: string[] = []
  for (const [at, one] of attachments.entries()) {
    const attachment = { ...one, id: at + 1 }
    if (one.blocks === undefined) {
      read.push(attachment)
      continue
    }
    const checked = checkMessageBlocks(
      one.blocks,
      checkFile,
      [...root, at, 'blocks'],
      reachesLoopback,
    )
    if (checked.ok) {
      read.push({ ...attachment, blocks: withIds(checked.value, () => newId('', 5)) })
    } else {
      messages.push(...checked.messages)
    }
  }
  return messages.length > 0
    ? { ok: false, error: 'invalid_attachments', messages }
    : { ok: true, value: read }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function rejected(error: string, ...messages: string[]): CheckResult<never> {
  return { ok: false, error, messages }
}
