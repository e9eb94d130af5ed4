import { slackErrorCode } from '../platform/slack-errors.ts'

/** Why an installation failed, as far as it matters to the user. */
export type InstallFailure =
  /** The user, or an admin, declined. */
  | 'cancelled'
  /** Too late, started in another browser, or a page that was loaded twice. */
  | 'stale'
  /** Slack did not accept what the app sent. */
  | 'refused'
  | 'unreachable'
  /** Our own error. */
  | 'broken'

const STALE_CODES = [
  'slack_oauth_missing_state',
  'slack_oauth_invalid_state',
  'slack_oauth_missing_code',
]
const UNREACHABLE_CODES = [
  'slack_webapi_request_error',
  'slack_webapi_http_error',
  'slack_webapi_rate_limited_error',
]

/** Slack's codes for a `code` that was used before or has expired. */
const SPENT_CODES = ['invalid_code', 'code_already_used', 'expired_code']

/**
 * Classifies an error of Slack's InstallProvider.
 *
 * @param slackAnswer the query parameter `error` that Slack sent, if any
 */
export function installFailure(error: Error, slackAnswer: string | null): InstallFailure {
  if (slackAnswer === 'access_denied') return 'cancelled'
  if (slackAnswer !== null) return 'refused'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (STALE_CODES.includes(code)) return 'stale'
  if (UNREACHABLE_CODES.includes(code)) return 'unreachable'
  const slackCode = slackErrorCode(error)
  if (slackCode === undefined) return 'broken'
  return SPENT_CODES.includes(slackCode) ? 'stale' : 'refused'
}
