import { randomBytes, randomInt } from 'node:crypto'

/** How long the app has to open a view, in milliseconds. */
const LIFETIME_MS = 3000

/** How many triggers are remembered, including used ones, so that the error can say what is wrong. */
const MAX_TRIGGERS = 1000

/** The person behind a trigger, and where they were. */
export interface TriggerOrigin {
  viewerId: string
  /** The conversation that the person was in. */
  conversationId?: string | undefined
}

export type Triggers = ReturnType<typeof createTriggers>

/** Trigger ids. Each opens one view, and expires after 3 s. */
export function createTriggers(now: () => number) {
  const issued = new Map<string, { origin: TriggerOrigin; at: number; taken: boolean }>()
  return {
    issue(origin: TriggerOrigin): string {
      const id = `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString('hex')}`
      issued.set(id, { origin, at: now(), taken: false })
      const [oldest] = issued.keys()
      if (issued.size > MAX_TRIGGERS && oldest !== undefined) issued.delete(oldest)
      return id
    },
    /** Uses a trigger up. `error` is Slack's code. */
    take(id: string): { ok: true; origin: TriggerOrigin } | { ok: false; error: string } {
      const trigger = issued.get(id)
      if (!trigger) return { ok: false, error: 'invalid_trigger_id' }
      if (trigger.taken) return { ok: false, error: 'exchanged_trigger_id' }
      if (now() - trigger.at > LIFETIME_MS) return { ok: false, error: 'expired_trigger_id' }
      trigger.taken = true
      return { ok: true, origin: trigger.origin }
    },
  }
}
