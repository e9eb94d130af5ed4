import type {
  LinkServiceCall,
  LinkServiceMetrics,
  LinkServiceOutcome,
} from '../metrics/app-metrics.ts'
import { timed } from '../metrics/timed.ts'
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
import { createOperation, type Operation } from './operation.ts'

/** The measured methods: the label of each in the metrics, and the position of its CallOptions. */
const CALLS = {
  create: ['create', 1],
  list: ['list', 1],
  get: ['get', 1],
  update: ['update', 2],
  remove: ['remove', 1],
  clicks: ['clicks', 2],
  listDomains: ['list_domains', 0],
  tryDomain: ['try_domain', 1],
} as const satisfies Record<
  Exclude<keyof LinkClient, 'readOffers'>,
  readonly [LinkServiceCall, number]
>
type Method = keyof typeof CALLS

/**
 * Measures how long each call takes, how it ends, and how often it is made again. Reading what the service offers
 * runs in the background and is not measured.
 */
export function measuredClient(
  client: LinkClient,
  metrics: LinkServiceMetrics,
  clock: Clock,
): LinkClient {
  const counted = { ...client }
  for (const [method, [call, at]] of Object.entries(CALLS)) {
    const makeCounted = (...args: unknown[]): unknown => {
      const { operation = createOperation({ clock }), ...options } = (args[at] ?? {}) as CallOptions
      const retried = (): void => metrics.retries.inc({ call })
      args[at] = { ...options, operation: countRetries(operation, retried) }
      return (client[method as Method] as (...all: unknown[]) => unknown)(...args)
    }
    Object.assign(counted, { [method]: makeCounted })
  }
  return timed(counted, CALLS, ([call], seconds, error) => {
    metrics.calls.inc({ call, outcome: error === undefined ? 'ok' : outcomeOf(error) })
    metrics.durations.observe({ call }, seconds)
  })
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
