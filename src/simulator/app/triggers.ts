import { randomBytes, randomInt } from 'node:crypto'

/** How long an app may take to open a view, in milliseconds. */
const LIFETIME_MS = 3000

/** Spent triggers that are remembered, so that Slack can say what is wrong with one. */
const REMEMBERED = 1000

/** Whose doing a trigger is, and where. */
export interface TriggerOrigin {
  viewerId: string
  /** The conversation that the person had before them. */
  conversationId?: string | undefined
}

/** Trigger ids: each opens one view, and dies after 3 s. */
export interface Triggers {
  issue(origin: TriggerOrigin): string
  /** Uses a trigger up. An error is Slack's code. */
  take(id: string): { ok: true; origin: TriggerOrigin } | { ok: false; error: string }
}

export function createTriggers(now: () => number): Triggers {
  const issued = new Map<string, { origin: TriggerOrigin; at: number; taken: boolean }>()
  return {
    issue(origin) {
      const id = `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString('hex')}`
      issued.set(id, { origin, at: now(), taken: false })
      const [oldest] = issued.keys()
      if (issued.size > REMEMBERED && oldest !== undefined) issued.delete(oldest)
      return id
    },
    take(id) {
      const trigger = issued.get(id)
      if (!trigger) return { ok: false, error: 'invalid_trigger_id' }
      if (trigger.taken) return { ok: false, error: 'exchanged_trigger_id' }
      if (now() - trigger.at > LIFETIME_MS) return { ok: false, error: 'expired_trigger_id' }
      trigger.taken = true
      return { ok: true, origin: trigger.origin }
    },
  }
}
