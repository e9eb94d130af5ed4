import type { LinkServiceCall, LinkServiceMetrics, LinkServiceOutcome } from '../metrics/metrics.ts'
import { createAct, type Act } from './act.ts'
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
    { act = createAct({ clock }) }: CallOptions,
    call: (counted: { act: Act }) => Promise<T>,
  ): Promise<T> {
    const start = performance.now()
    let outcome: LinkServiceOutcome = 'ok'
    try {
      return await call({ act: countRetries(act, () => metrics.retried(name)) })
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      metrics.called(name, outcome, (performance.now() - start) / 1_000)
    }
  }

  return {
    create: (request, options) =>
      measure('create', options, (act) => client.create(request, { ...options, ...act })),
    list: (query, options = {}) =>
      measure('list', options, (act) => client.list(query, { ...options, ...act })),
    get: (name, options = {}) =>
      measure('get', options, (act) => client.get(name, { ...options, ...act })),
    update: (name, changes, options = {}) =>
      measure('update', options, (act) => client.update(name, changes, { ...options, ...act })),
    remove: (name, options = {}) =>
      measure('remove', options, (act) => client.remove(name, { ...options, ...act })),
    clicks: (name, range, options = {}) =>
      measure('clicks', options, (act) => client.clicks(name, range, { ...options, ...act })),
    listDomains: (options = {}) =>
      measure('list_domains', options, (act) => client.listDomains({ ...options, ...act })),
    tryDomain: (domain, options = {}) =>
      measure('try_domain', options, (act) => client.tryDomain(domain, { ...options, ...act })),
    readOffers: () => client.readOffers(),
  }
}

/** An act that says when a call is made again. */
function countRetries(act: Act, retried: () => void): Act {
  return {
    signal: act.signal,
    run(call, options) {
      let isRetry = false
      return act.run((signal) => {
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
