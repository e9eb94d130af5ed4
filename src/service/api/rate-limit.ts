import type { FastifyInstance, FastifyReply } from 'fastify'
import { formatCount } from '../../web/numbers.ts'
import { addRequests } from '../store/api-keys.ts'
import type { ServiceContext } from '../store/context.ts'
import type { Access } from '../store/scopes.ts'
import { ServiceError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request of the key. @throws ServiceError RATE_LIMIT_EXCEEDED if the key has sent too many */
    limitRate: (key: Access, reply: FastifyReply) => void
  }
}

const DEFAULT_REQUESTS_PER_MINUTE = 600
const MINUTE_MS = 60_000

// How often a process stores its counts, which other processes then see.
const STORE_EVERY_MS = 1_000

/**
 * Limits how many requests a minute an API key can send to all processes together. A process counts requests in memory
 * and stores its counts each second. A request reads the stored count with its key, so the processes can exceed the
 * limit only by the requests of one second, or of the time in which no counts can be stored. Refused requests are not
 * counted, so they cause no writes.
 */
export function registerRateLimit(
  server: FastifyInstance,
  { write, now }: Pick<ServiceContext, 'write' | 'now'>,
): void {
  let minute = 0
  let accepted = new Map<string, number>()
  let unstored = new Map<string, number>()

  function countRequest(id: string): void {
    for (const counts of [accepted, unstored]) counts.set(id, 1 + (counts.get(id) ?? 0))
  }

  async function store(): Promise<void> {
    if (unstored.size === 0) return
    const rows = JSON.stringify([...unstored].sort())
    unstored = new Map()
    // Other parts log that the database is unavailable. Other processes don't see the requests of this second.
    await write(addRequests(minute, rows)).catch(() => undefined)
  }

  server.decorate('limitRate', ({ apiKeyId: id, stored, requestsPerMinute }, reply) => {
    const limit = requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE
    const time = now()
    const current = Math.floor(time / MINUTE_MS)
    if (current !== minute) {
      void store()
      minute = current
      accepted = new Map()
    }
    if (limit === 0) {
      // The stored minute is also the time of the key's last use, so one request a minute is counted.
      if (!accepted.has(id)) countRequest(id)
      return
    }
    const sent = stored.minute === minute ? stored.requests + (unstored.get(id) ?? 0) : 0
    // Requests that are being stored right now might be missing from both the stored and the unstored counts.
    const used = Math.max(sent, accepted.get(id) ?? 0)
    const seconds = Math.ceil(((minute + 1) * MINUTE_MS - time) / 1_000)
    reply.header('ratelimit-limit', limit).header('ratelimit-reset', seconds)
    reply.header('ratelimit-remaining', Math.max(0, limit - used - 1))
    if (used >= limit) {
      reply.header('retry-after', seconds)
      throw new ServiceError(
        'RATE_LIMIT_EXCEEDED',
        `This API key is limited to ${formatCount(limit, 'request')} a minute. Try again in ${formatCount(seconds, 'second')}.`,
      )
    }
    countRequest(id)
  })
  const timer = setInterval(() => void store(), STORE_EVERY_MS).unref()
  server.addHook('onClose', async () => {
    clearInterval(timer)
    void store()
  })
}
