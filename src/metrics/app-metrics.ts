import { ANY, type Definitions } from './definitions.ts'

const REQUEST_KINDS = [
  'command',
  'shortcut',
  'action',
  'form',
  'event',
  'workflow_step',
  'mcp',
  'other',
] as const
export type SlackRequest = (typeof REQUEST_KINDS)[number]

export type SlackMetrics = ReturnType<typeof slackMetrics>

/** Counters that start at 0: Slack's codes that deploy/alerts.yml uses, and our codes for calls without a response. */
const INITIAL_ERROR_CODES = [
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
const MAX_ERROR_CODES = 100

export function slackMetrics({ counter, histogram }: Definitions) {
  const durations = histogram(
    'backhalf_slack_api_duration_seconds',
    'How long calls to Slack took, including retries and calls that failed.',
    [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  const codes = new Set([...INITIAL_ERROR_CODES, 'other'])
  const errors = counter(
    'backhalf_slack_api_errors_total',
    'Calls to Slack that failed, by Slack’s error code. After 100 codes, new ones count as “other”.',
    { code: [...codes] },
  )
  return {
    acknowledgements: histogram(
      'backhalf_slack_acknowledgement_duration_seconds',
      'How long Slack waited until the app acknowledged a request. Slack gives up after 3 seconds.',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5],
      { kind: REQUEST_KINDS },
    ),
    answers: histogram(
      'backhalf_slack_answer_duration_seconds',
      'Time from a request from Slack until the last message about it was sent.',
      [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
      { kind: REQUEST_KINDS },
    ),
    unacknowledged: counter(
      'backhalf_slack_unacknowledged_total',
      'Requests from Slack that the app did not acknowledge. Slack shows the user an error.',
      { kind: REQUEST_KINDS },
    ),
    redeliveries: counter(
      'backhalf_slack_redeliveries_total',
      'Requests that Slack sent again because it got no acknowledgement in time.',
    ),
    observeCall(seconds: number, errorCode?: string): void {
      durations.observe({}, seconds)
      if (errorCode === undefined) return
      if (/^[a-z_]{1,60}$/.test(errorCode) && codes.size < MAX_ERROR_CODES) codes.add(errorCode)
      errors.inc({ code: codes.has(errorCode) ? errorCode : 'other' })
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

export function linkServiceMetrics({ counter, histogram }: Definitions) {
  return {
    calls: counter(
      'backhalf_link_service_calls_total',
      'Calls to the link service by outcome, after retries.',
      { call: CALLS, outcome: OUTCOMES },
    ),
    durations: histogram(
      'backhalf_link_service_call_duration_seconds',
      'How long calls to the link service took, including retries.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      { call: ANY },
    ),
    retries: counter(
      'backhalf_link_service_retries_total',
      'How often a call to the link service was repeated after a temporary failure.',
      { call: CALLS },
    ),
  }
}
