import { randomBytes, randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../workspace/clock.ts'
import type { ContentReader, Messages } from '../workspace/messages.ts'
import { SlackRefusal, type Refusals } from '../workspace/refusals.ts'
import { TEAM } from '../workspace/seeds.ts'

const MAX_RESPONSES = 5
const LIFETIME_MS = 30 * 60 * 1000
const MAX_REMEMBERED = 1000

interface ResponseTarget {
  conversationId: string
  userId: string
  originalTs?: string
}

export interface PostResult {
  status: number
  body: Record<string, unknown>
}

const responseSchema = z.looseObject({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
})

/** An app uses a response_url to respond in a conversation that it is not a member of. */
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
  hooksUrl: () => string
}) {
  const issued = new LRUCache<string, { target: ResponseTarget; atMs: number; responses: number }>({
    max: MAX_REMEMBERED,
  })

  function post(
    where: string,
    { conversationId, userId, originalTs }: ResponseTarget,
    body: unknown,
  ): void {
    const parsed = responseSchema.safeParse(body)
    if (!parsed.success) {
      throw new SlackRefusal('invalid_payload', [z.prettifyError(parsed.error)])
    }
    const { response_type, replace_original, thread_ts } = parsed.data
    const read = content.message(where, body)
    const replaced =
      originalTs === undefined ? undefined : messages.find(conversationId, originalTs)
    if (replace_original && replaced) {
      messages.replace(replaced, read)
    } else {
      messages.add(conversationId, {
        ts: clock.ts(),
        threadTs: thread_ts,
        author: { kind: 'app' },
        ...read,
        visibleTo: response_type === 'ephemeral' ? userId : undefined,
      })
    }
  }

  return {
    issue(target: ResponseTarget): string {
      const id = randomBytes(18).toString('base64url')
      issued.set(id, { target, atMs: clock.now(), responses: 0 })
      return `${hooksUrl()}/${TEAM.id}/${id}`
    },
    respond(id: string, body: unknown): PostResult {
      const refused = refusals.catch('response_url', () => {
        const url = issued.get(id)
        if (!url) throw new SlackRefusal('invalid_url')
        if (clock.now() - url.atMs > LIFETIME_MS) throw new SlackRefusal('expired_url')
        if (url.responses >= MAX_RESPONSES) throw new SlackRefusal('used_url')
        post('response_url', url.target, body)
        url.responses += 1
      })
      if (!refused) return { status: 200, body: { ok: true } }
      const { code: error } = refused
      return { status: error.endsWith('_url') ? 404 : 400, body: { ok: false, error } }
    },
    showAck: (target: ResponseTarget, body: unknown) =>
      void refusals.catch('ack', () => post('ack', target, body)),
  }
}

const TRIGGER_LIFETIME_MS = 3000

export interface TriggerOrigin {
  viewerId: string
  conversationId?: string | undefined
}

/** Each trigger opens one view. Used ones are remembered, because Slack returns an error of its own for them. */
export function createTriggers(now: () => number) {
  const issued = new LRUCache<string, { origin: TriggerOrigin; atMs: number; taken: boolean }>({
    max: MAX_REMEMBERED,
  })
  return {
    issue(origin: TriggerOrigin): string {
      const id = `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString('hex')}`
      issued.set(id, { origin, atMs: now(), taken: false })
      return id
    },
    /** @returns Slack's error code if the trigger can't open a view */
    take(id: string): TriggerOrigin | string {
      const trigger = issued.get(id)
      if (!trigger) return 'invalid_trigger_id'
      if (trigger.taken) return 'exchanged_trigger_id'
      if (now() - trigger.atMs > TRIGGER_LIFETIME_MS) return 'expired_trigger_id'
      trigger.taken = true
      return trigger.origin
    },
  }
}
