import { z } from 'zod'
import { checkMessageBlocks, isMessageTooLong } from '../block-kit/check.ts'
import type { Parts } from '../parts.ts'
import type { SlackJson } from '../protocol.ts'
import { withIds } from '../shared/slack-json.ts'
import { newId } from '../workspace/clock.ts'
import type { MessageContent } from '../workspace/messages.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import type { ResponseTarget } from './credentials.ts'

const MAX_TEXT_CHARACTERS = 40_000

const contentSchema = z.object({
  text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.undefined('the simulator attaches only unfurls').optional(),
})

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
  // Slack limits the length in `chat.postMessage`, but not in a message to a response_url (bolt-js issue 2867).
  if (where === 'chat.postMessage' && isMessageTooLong(checked)) {
    throw new SlackRefusal('msg_blocks_too_long')
  }
  // Slack accepts blocks without `text`, but screen readers and notifications would say nothing.
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

const responseSchema = z.looseObject({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
})

export function postToResponseUrl(parts: Parts, id: string, body: unknown) {
  const refused = parts.refusals.catch('response_url', () =>
    parts.responseUrls.use(id, (target) => post(parts, 'response_url', target, body)),
  )
  if (!refused) return { status: 200, body: { ok: true } }
  const { code } = refused
  const isUrlUnusable = code.endsWith('_url') // invalid_url, expired_url, used_url
  return { status: isUrlUnusable ? 404 : 400, body: { ok: false, error: code } }
}

export function showAck(parts: Parts, target: ResponseTarget, body: unknown): void {
  parts.refusals.catch('ack', () => post(parts, 'ack', target, body))
}

function post(
  parts: Parts,
  where: string,
  { conversationId, userId, originalTs = '' }: ResponseTarget,
  body: unknown,
): void {
  const parsed = responseSchema.safeParse(body)
  if (!parsed.success) throw new SlackRefusal('invalid_payload', [z.prettifyError(parsed.error)])
  const { response_type, replace_original, thread_ts } = parsed.data
  const content = messageContent(parts, where, body)
  const original = parts.messages.find(conversationId, originalTs)
  if (replace_original && original) return parts.messages.replace(original, content)
  parts.messages.add(conversationId, {
    threadTs: thread_ts,
    author: { kind: 'app' },
    ...content,
    visibleTo: response_type === 'ephemeral' ? userId : undefined,
  })
}
