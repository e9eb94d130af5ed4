import { slackErrorCode } from '../slack-error-code.ts'

/** Why an installation came to nothing, as far as people can do something about it. */
export type InstallFailure =
  /** Whoever was asked said no. */
  | 'cancelled'
  /** Too late, begun in another browser, or the page was loaded a second time. */
  | 'stale'
  /** Slack did not take what the app sent it. */
  | 'refused'
  | 'unreachable'
  /** Our own fault. */
  | 'broken'

const STALE = ['slack_oauth_missing_state', 'slack_oauth_invalid_state']
const UNREACHABLE = [
  'slack_webapi_request_error',
  'slack_webapi_http_error',
  'slack_webapi_rate_limited_error',
]

/** Slack's codes for a `code` that was used before, or is too old. */
const SPENT_CODES = ['invalid_code', 'code_already_used', 'expired_code']

/**
 * Reads an error of Slack's InstallProvider.
 *
 * @param answer what Slack wrote into the query as `error`, if anything
 */
export function installFailure(error: Error, answer: string | null): InstallFailure {
  if (answer === 'access_denied') return 'cancelled'
  if (answer !== null) return 'refused'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (STALE.includes(code) || code === 'slack_oauth_missing_code') return 'stale'
  if (UNREACHABLE.includes(code)) return 'unreachable'
  const slackCode = slackErrorCode(error)
  if (slackCode === undefined) return 'broken'
  return SPENT_CODES.includes(slackCode) ? 'stale' : 'refused'
}
