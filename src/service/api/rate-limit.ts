import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { formatCount } from '../../web/numbers.ts'
import { addRequests } from '../store/api-keys.ts'
import type { ServiceContext } from '../store/context.ts'
import { ServiceError } from './errors.ts'

/** The API key with which a request was made, or which signed its sender in, as the request has just read it. */
interface UsedKey {
  apiKeyId: string
  /** Null by default, and 0 without a limit. */
  requestsPerMinute: number | null
  /** The requests of a minute that all processes have stored. */
  stored: { minute: number; requests: number }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Refuses a request if its key was used too often. */
    limitRate: onRequestAsyncHookHandler
  }
  interface FastifyRequest {
    usedKey: UsedKey | undefined
  }
}

/** Requests a minute with a key that has no limit of its own. */
const REQUESTS_PER_MINUTE = 600

const MINUTE_MS = 60_000

/** How often new requests are stored, in milliseconds. Until then, other processes don't know of them. */
const STORE_EVERY_MS = 1_000

/** The requests with a key that this process has accepted in the current minute. */
interface Accepted {
  all: number
  /** Those that are not stored. */
  unstored: number
}

/**
 * Counts the requests of each key, in the API and in the dashboard, and in all processes. A request reads its key
 * anyway, and with it what all processes have stored. So all of them together accept at most as many requests too many as
 * the others receive until they store them. Requests that are refused are not counted, so they cause no writes.
 */
export function registerRateLimit(
  server: FastifyInstance,
  { write, now }: Pick<ServiceContext, 'write' | 'now'>,
): void {
  let minute = 0
  let accepted = new Map<string, Accepted>()

  /** How many requests of the current minute were accepted with a key. */
  function countOf({ apiKeyId, stored }: UsedKey): { own: Accepted; used: number } {
    let own = accepted.get(apiKeyId)
    if (!own) accepted.set(apiKeyId, (own = { all: 0, unstored: 0 }))
    const known = stored.minute === minute ? stored.requests + own.unstored : 0
    // What is being stored may be missing in both.
    return { own, used: Math.max(known, own.all) }
  }

  async function store(): Promise<void> {
    const counted = [...accepted].filter(([, { unstored }]) => unstored > 0)
    if (counted.length === 0) return
    const rows = counted.map(([id, { unstored }]) => [id, unstored] as const)
    for (const [, own] of counted) own.unstored = 0
    try {
      await write(addRequests(minute, JSON.stringify(rows)))
    } catch {
      // Other parts log that the database can't be written. Until it can, this process counts for itself.
      counted.forEach(([, own], at) => (own.unstored += rows[at]?.[1] ?? 0))
    }
  }

  server.decorateRequest('usedKey')
  server.decorate('limitRate', async ({ usedKey }, reply) => {
    if (!usedKey || usedKey.requestsPerMinute === 0) return
    const time = now()
    const current = Math.floor(time / MINUTE_MS)
    if (current !== minute) [minute, accepted] = [current, new Map()]
    const limit = usedKey.requestsPerMinute ?? REQUESTS_PER_MINUTE
    const { own, used } = countOf(usedKey)
    const seconds = Math.ceil(((current + 1) * MINUTE_MS - time) / 1_000)
    reply.header('ratelimit-limit', limit).header('ratelimit-reset', seconds)
    reply.header('ratelimit-remaining', Math.max(0, limit - used - 1))
    if (used < limit) {
      own.all += 1
      own.unstored += 1
      return
    }
    reply.header('retry-after', seconds)
    throw new ServiceError(
      'RATE_LIMIT_EXCEEDED',
      `This API key is limited to ${formatCount(limit, 'request')} a minute. Try again in ${formatCount(seconds, 'second')}.`,
    )
  })
  const timer = setInterval(() => void store(), STORE_EVERY_MS)
  timer.unref()
  server.addHook('onClose', async () => clearInterval(timer))
}
