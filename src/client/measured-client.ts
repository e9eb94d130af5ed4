import type { LinkServiceCall, LinkServiceMetrics, LinkServiceOutcome } from '../metrics/metrics.ts'
import { createOperation, type Operation } from './operation.ts'
import type { Clock } from '../timing/clock.ts'
import {
  ApiError,
  LinkExistsError,
  LinkGoneError,
  LinkServiceError,
  NetworkError,
  RateLimitedError,
  ResponseShapeError,
  StaleEditError,
  TimeoutError,
} from './errors.ts'
import type { CallOptions, LinkClient } from './link-client.ts'

/**
 * Measures how long each call takes, how it ends, and how often it is made again. What the service offers is asked
 * in the background, and is not measured.
 */
export function measuredClient(
  client: LinkClient,
  metrics: LinkServiceMetrics,
  clock: Clock,
): LinkClient {
  async function measure<T>(
    name: LinkServiceCall,
    { operation = createOperation({ clock }) }: CallOptions,
    call: (counted: { operation: Operation }) => Promise<T>,
  ): Promise<T> {
    const start = performance.now()
    let outcome: LinkServiceOutcome = 'ok'
    try {
      return await call({ operation: countRetries(operation, () => metrics.retried(name)) })
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      metrics.called(name, outcome, (performance.now() - start) / 1_000)
    }
  }

  return {
    create: (request, options) =>
      measure('create', options, (operation) =>
        client.create(request, { ...options, ...operation }),
      ),
    list: (query, options = {}) =>
      measure('list', options, (operation) => client.list(query, { ...options, ...operation })),
    get: (name, options = {}) =>
      measure('get', options, (operation) => client.get(name, { ...options, ...operation })),
    update: (name, changes, options = {}) =>
      measure('update', options, (operation) =>
        client.update(name, changes, { ...options, ...operation }),
      ),
    remove: (name, options = {}) =>
      measure('remove', options, (operation) => client.remove(name, { ...options, ...operation })),
    clicks: (name, range, options = {}) =>
      measure('clicks', options, (operation) =>
        client.clicks(name, range, { ...options, ...operation }),
      ),
    listDomains: (options = {}) =>
      measure('list_domains', options, (operation) =>
        client.listDomains({ ...options, ...operation }),
      ),
    tryDomain: (domain, options = {}) =>
      measure('try_domain', options, (operation) =>
        client.tryDomain(domain, { ...options, ...operation }),
      ),
    readOffers: () => client.readOffers(),
  }
}

/** An operation that says when a call is made again. */
function countRetries(operation: Operation, retried: () => void): Operation {
  return {
    signal: operation.signal,
    run(call, options) {
      let isRetry = false
      return operation.run((signal) => {
        if (isRetry) retried()
        isRetry = true
        return call(signal)
      }, options)
    },
  }
}

function outcomeOf(error: unknown): LinkServiceOutcome {
  if (error instanceof RateLimitedError) return 'rate_limited'
  if (error instanceof LinkGoneError) return 'gone'
  if (error instanceof StaleEditError) return 'stale'
  if (error instanceof ApiError) return error.status >= 500 ? 'server_error' : 'rejected'
  if (error instanceof TimeoutError) return 'timeout'
  if (error instanceof NetworkError) return 'unreachable'
  if (error instanceof ResponseShapeError) return 'invalid_response'
  if (error instanceof LinkExistsError) return 'uncertain'
  // The caller gave up, or our own code failed.
  return error instanceof LinkServiceError ? 'uncertain' : 'aborted'
}
