import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { formatCount } from '../../web/numbers.ts'
import { ServiceError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key with which a request was made, or which signed its sender in. `requestsPerMinute` is null by default, and 0 without a limit. */
    usedKey: { apiKeyId: string; requestsPerMinute: number | null } | undefined
  }
}

/** Requests a minute with a key that has no limit of its own. Each process counts separately. */
const REQUESTS_PER_MINUTE = 600

/** The requests of this many keys are counted at the same time. */
const MAX_KEYS = 10_000

/** Counts the requests of each key together, in the API and in the dashboard. Scopes use it with `rateLimit()`. */
export async function registerRateLimit(server: FastifyInstance): Promise<void> {
  server.decorateRequest('usedKey')
  await server.register(rateLimit, {
    global: false,
    cache: MAX_KEYS,
    allowList: ({ usedKey }) => usedKey === undefined || usedKey.requestsPerMinute === 0,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    keyGenerator: ({ usedKey }) => usedKey?.apiKeyId ?? '',
    max: ({ usedKey }) => usedKey?.requestsPerMinute ?? REQUESTS_PER_MINUTE,
    errorResponseBuilder: (_request, { max, after }) =>
      new ServiceError(
        'RATE_LIMIT_EXCEEDED',
        `This API key is limited to ${formatCount(max, 'request')} a minute. Try again in ${after}.`,
      ),
  })
}
