import { z } from 'zod'
import type { Parts } from '../parts.ts'
import { messageContent } from '../web-api/message-content.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import type { ResponseTarget } from './triggers.ts'

const responseSchema = z.looseObject({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
})

export interface PostResult {
  status: number
  body: Record<string, unknown>
}

export function postToResponseUrl(parts: Parts, id: string, body: unknown): PostResult {
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
