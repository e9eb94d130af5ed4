import { randomBytes, randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { SlackRefusal } from '../workspace/refusals.ts'
import { TEAM } from '../workspace/seeds.ts'

export interface Token {
  scopes: ReadonlySet<string>
  /** Slack's response to calls with the token, such as `token_revoked`. */
  error?: string
}

export function createGrants() {
  const tokens = new Map<string, Token>()
  // The newest token that still works. The app is installed as long as it has such a token.
  const latest = (): Token | undefined => [...tokens.values()].findLast(({ error }) => !error)
  return {
    tokens,
    latest,
    // Returns Slack's error code if the token doesn't work.
    check: (token: string): Token | string =>
      tokens.get(token)?.error ?? tokens.get(token) ?? 'invalid_auth',
    issueStepToken(): string | undefined {
      const { scopes } = latest() ?? {}
      if (!scopes) return undefined
      const token = newToken('xwfp')
      tokens.set(token, { scopes })
      return token
    },
  }
}

export function newToken(prefix: string): string {
  return `${prefix}-${randomBytes(24).toString('hex')}`
}

const MAX_RESPONSES = 5
const LIFETIME_MS = 30 * 60 * 1000
const MAX_REMEMBERED = 1000

export interface ResponseTarget {
  conversationId: string
  userId: string
  originalTs?: string
}

/** Issues response_urls. With each, the app can respond five times in 30 minutes, even in channels it hasn't joined. */
export function createResponseUrls(now: () => number, baseUrl: () => string) {
  const issued = new LRUCache<string, { target: ResponseTarget; atMs: number; responses: number }>({
    max: MAX_REMEMBERED,
  })
  return {
    issue(target: ResponseTarget): string {
      const id = randomBytes(18).toString('base64url')
      issued.set(id, { target, atMs: now(), responses: 0 })
      return `${baseUrl()}/hooks/${TEAM.id}/${id}`
    },
    // Calls `respond` with the target of the URL. If `respond` throws, the response is not counted.
    use(id: string, respond: (target: ResponseTarget) => void): void {
      const url = issued.get(id)
      if (!url) throw new SlackRefusal('invalid_url')
      if (now() - url.atMs > LIFETIME_MS) throw new SlackRefusal('expired_url')
      if (url.responses >= MAX_RESPONSES) throw new SlackRefusal('used_url')
      respond(url.target)
      url.responses += 1
    },
  }
}

interface TriggerOrigin {
  viewerId: string
  conversationId?: string | undefined
}

/** Issues trigger IDs. Each opens one view within its lifetime. A second use has an error of its own, as in Slack. */
export function createTriggers(now: () => number, lifetimeMs: number) {
  const issued = new LRUCache<string, { origin: TriggerOrigin; atMs: number; used: boolean }>({
    max: MAX_REMEMBERED,
  })
  return {
    issue(origin: TriggerOrigin): string {
      const id = `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString('hex')}`
      issued.set(id, { origin, atMs: now(), used: false })
      return id
    },
    use(id: string): TriggerOrigin {
      const trigger = issued.get(id)
      if (!trigger) throw new SlackRefusal('invalid_trigger_id')
      if (trigger.used) throw new SlackRefusal('exchanged_trigger_id')
      if (now() - trigger.atMs > lifetimeMs) throw new SlackRefusal('expired_trigger_id')
      trigger.used = true
      return trigger.origin
    },
  }
}
