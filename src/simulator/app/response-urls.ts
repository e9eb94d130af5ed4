import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../workspace/clock.ts'
import type { ContentReader } from '../workspace/message-content.ts'
import type { Messages } from '../workspace/messages.ts'
import type { Refusals } from '../workspace/refusals.ts'
import { TEAM } from '../workspace/seeds.ts'

const MAX_ANSWERS = 5
const LIFETIME_MS = 30 * 60 * 1000
/** How many response_urls are remembered. */
const MAX_URLS = 1000

/** Where the answers to a response_url go. */
interface ResponseTarget {
  conversationId: string
  userId: string
  /** The message whose element was used; absent for commands and modals. */
  original?: string
}

/** Slack's HTTP response to an answer. */
export interface ResponseAnswer {
  status: number
  body: Record<string, unknown>
}

const answerSchema = z.looseObject({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
})

export type ResponseUrls = ReturnType<typeof createResponseUrls>

/** The URLs with which an app answers in conversations that it is not a member of. */
export function createResponseUrls({
  clock,
  messages,
  content,
  refusals,
  hooksUrl,
}: {
  clock: Clock
  messages: Messages
  content: ContentReader
  refusals: Refusals
  /** The base of all response_urls, without a trailing slash. */
  hooksUrl: () => string
}) {
  const issued = new Map<string, { target: ResponseTarget; at: number; answers: number }>()

  function reject(
    where: string,
    status: number,
    error: string,
    details: string[] = [],
  ): ResponseAnswer {
    refusals.add(where, error, details)
    return { status, body: { ok: false, error } }
  }

  function post(
    where: string,
    { conversationId, userId, original }: ResponseTarget,
    body: unknown,
  ): ResponseAnswer {
    const parsed = answerSchema.safeParse(body)
    if (!parsed.success) {
      return reject(where, 400, 'invalid_payload', [z.prettifyError(parsed.error)])
    }
    const { response_type, replace_original, thread_ts } = parsed.data
    const read = content.message(where, body)
    if (!read.ok) return reject(where, 400, read.error, read.messages)
    const replaced = original === undefined ? undefined : messages.find(conversationId, original)
    if (replace_original && replaced) {
      messages.replace(replaced, read.value)
    } else {
      messages.add(conversationId, {
        ts: clock.ts(),
        threadTs: thread_ts,
        author: { kind: 'app' },
        ...read.value,
        visibleTo: response_type === 'ephemeral' ? userId : undefined,
      })
    }
    return { status: 200, body: { ok: true } }
  }

  return {
    issue(target: ResponseTarget): string {
      const id = randomBytes(18).toString('base64url')
      issued.set(id, { target, at: clock.now(), answers: 0 })
      const [oldest] = issued.keys()
      if (issued.size > MAX_URLS && oldest !== undefined) issued.delete(oldest)
      return `${hooksUrl()}/${TEAM.id}/${id}`
    },
    answer(id: string, body: unknown): ResponseAnswer {
      const one = issued.get(id)
      if (!one) return reject('response_url', 404, 'invalid_url')
      if (clock.now() - one.at > LIFETIME_MS) return reject('response_url', 404, 'expired_url')
      if (one.answers >= MAX_ANSWERS) return reject('response_url', 404, 'used_url')
      const answered = post('response_url', one.target, body)
      if (answered.status === 200) one.answers += 1
      return answered
    },
    /** Posts the content of an acknowledgement. An error is recorded as a refusal. */
    post: (where: string, target: ResponseTarget, body: unknown) => void post(where, target, body),
  }
}
