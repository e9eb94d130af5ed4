import {
  LINK_SERVICE_CALLS,
  LINK_SERVICE_OUTCOMES,
  SLACK_REQUESTS,
  type LinkServiceMetrics,
  type SlackMetrics,
} from './metrics.ts'
import type { Registry } from './registry.ts'
import { SLACK_ERROR_CODES } from './slack-error-codes.ts'

/** Slack waits three seconds for an acknowledgement. */
const ACKNOWLEDGEMENT_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5]

/** A call to Slack takes up to three seconds, and may be made three times or wait. */
const SLACK_API_BOUNDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A call to the link service takes up to twelve seconds with its retries. */
const LINK_SERVICE_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Any other error code. */
const OTHER = 'other'

export function createSlackMetrics(registry: Registry): SlackMetrics {
  const acknowledgements = registry.histogram(
    {
      name: 'backhalf_slack_acknowledgement_duration_seconds',
      help: 'How long Slack waited until the app acknowledged a request. Slack gives up after 3 seconds.',
      labels: ['kind'],
    },
    ACKNOWLEDGEMENT_BOUNDS,
  )
  const unacknowledged = registry.counter({
    name: 'backhalf_slack_unacknowledged_total',
    help: 'Requests from Slack that the app did not acknowledge. Slack told the user that it failed.',
    labels: ['kind'],
  })
  const redeliveries = registry.counter({
    name: 'backhalf_slack_redeliveries_total',
    help: 'Requests that Slack sent again because it got no acknowledgement in time.',
  })({})
  const calls = registry.histogram(
    {
      name: 'backhalf_slack_api_duration_seconds',
      help: 'How long calls to Slack took, with their retries, whether they succeeded or not.',
    },
    SLACK_API_BOUNDS,
  )({})
  const errors = registry.counter({
    name: 'backhalf_slack_api_errors_total',
    help: 'Calls to Slack that failed, by Slack’s error code. “other” is a code that Backhalf does not know.',
    labels: ['code'],
  })
  // Prometheus sees an increase only if it has seen the value before.
  for (const kind of SLACK_REQUESTS) unacknowledged({ kind })
  for (const code of [...SLACK_ERROR_CODES, OTHER]) errors({ code })
  return {
    acknowledged: (kind, seconds) => acknowledgements({ kind }).observe(seconds),
    unacknowledged(kind) {
      unacknowledged({ kind }).value++
    },
    redelivered() {
      redeliveries.value++
    },
    called(seconds, error) {
      calls.observe(seconds)
      if (error === undefined) return
      errors({ code: SLACK_ERROR_CODES.has(error) ? error : OTHER }).value++
    },
  }
}

export function createLinkServiceMetrics(registry: Registry): LinkServiceMetrics {
  const calls = registry.counter({
    name: 'backhalf_link_service_calls_total',
    help: 'Calls to the link service, by how they ended after their retries.',
    labels: ['call', 'outcome'],
  })
  const durations = registry.histogram(
    {
      name: 'backhalf_link_service_call_duration_seconds',
      help: 'How long calls to the link service took, with their retries.',
      labels: ['call'],
    },
    LINK_SERVICE_BOUNDS,
  )
  const retries = registry.counter({
    name: 'backhalf_link_service_retries_total',
    help: 'How often a call to the link service was made again after a temporary failure.',
    labels: ['call'],
  })
  for (const call of LINK_SERVICE_CALLS) {
    for (const outcome of LINK_SERVICE_OUTCOMES) calls({ call, outcome })
    retries({ call })
  }
  return {
    called(call, outcome, seconds) {
      calls({ call, outcome }).value++
      durations({ call }).observe(seconds)
    },
    retried(call) {
      retries({ call }).value++
    },
  }
}
