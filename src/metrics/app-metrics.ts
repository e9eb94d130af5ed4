import { ANY, type Definitions } from './definitions.ts'

const REQUESTS = [
  'command',
  'shortcut',
  'action',
  'form',
  'event',
  'workflow_step',
  'mcp',
  'other',
] as const
export type SlackRequest = (typeof REQUESTS)[number]

export type SlackMetrics = ReturnType<typeof slackMetrics>

const ACKNOWLEDGEMENT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5]

const ANSWER_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]

const SLACK_API_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Codes that always have a counter: those of Slack in deploy/alerts.yml, and our own for calls without a response. */
const SLACK_ERRORS = [
  'timeout',
  'unreachable',
  'http_error',
  'ratelimited',
  'invalid_auth',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'missing_scope',
]
const SLACK_ERROR = /^[a-z_]{1,60}$/

const MAX_SLACK_ERRORS = 100
const OTHER = 'other'

export function slackMetrics({ counter, histogram }: Definitions) {
  const durations = histogram(
    'backhalf_slack_api_duration_seconds',
    'How long calls to Slack took, with their retries, whether they succeeded or not.',
    SLACK_API_BUCKETS,
    {},
  )
  const codes = new Set([...SLACK_ERRORS, OTHER])
  const errors = counter(
    'backhalf_slack_api_errors_total',
    'Calls to Slack that failed, by Slack’s error code. Rare codes are counted together as “other”.',
    { code: [...codes] },
  )
  return {
    acknowledgements: histogram(
      'backhalf_slack_acknowledgement_duration_seconds',
      'How long Slack waited until the app acknowledged a request. Slack gives up after 3 seconds.',
      ACKNOWLEDGEMENT_BUCKETS,
      { kind: REQUESTS },
    ),
    answers: histogram(
      'backhalf_slack_answer_duration_seconds',
      'Time from a request from Slack until the last message about it was sent.',
      ANSWER_BUCKETS,
      { kind: REQUESTS },
    ),
    unacknowledged: counter(
      'backhalf_slack_unacknowledged_total',
      'Requests from Slack that the app did not acknowledge. Slack told the user that the request failed.',
      { kind: REQUESTS },
    ),
    redeliveries: counter(
      'backhalf_slack_redeliveries_total',
      'Requests that Slack sent again because it got no acknowledgement in time.',
      {},
    ),
    observeCall(seconds: number, error?: string): void {
      durations.observe({}, seconds)
      if (error === undefined) return
      if (SLACK_ERROR.test(error) && codes.size < MAX_SLACK_ERRORS) codes.add(error)
      errors.inc({ code: codes.has(error) ? error : OTHER })
    },
  }
}

const CALLS = [
  'create',
  'list',
  'get',
  'update',
  'remove',
  'clicks',
  'report',
  'list_tags',
  'list_domains',
  'try_domain',
  'sign_in',
  'end_sessions',
  'erase_person',
] as const
export type LinkServiceCall = (typeof CALLS)[number]

const OUTCOMES = [
  'ok',
  'rejected',
  'gone',
  'stale',
  'rate_limited',
  'server_error',
  'timeout',
  'unreachable',
  'invalid_response',
  'uncertain',
  'aborted',
] as const
export type LinkServiceOutcome = (typeof OUTCOMES)[number]

export type LinkServiceMetrics = ReturnType<typeof linkServiceMetrics>

const LINK_SERVICE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export function linkServiceMetrics({ counter, histogram }: Definitions) {
  return {
    calls: counter(
      'backhalf_link_service_calls_total',
      'Calls to the link service by outcome, after retries.',
      { call: CALLS, outcome: OUTCOMES },
    ),
    durations: histogram(
      'backhalf_link_service_call_duration_seconds',
      'How long calls to the link service took, with their retries.',
      LINK_SERVICE_BUCKETS,
      { call: ANY },
    ),
    retries: counter(
      'backhalf_link_service_retries_total',
      'How often a call to the link service was repeated after a temporary failure.',
      { call: CALLS },
    ),
  }
}
