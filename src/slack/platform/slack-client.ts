import { LogLevel, type Logger as BoltLogger } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import { createLogLimit } from '../../http/log-limit.ts'

/**
 * Options for every Web API client. Without `retryConfig`, web-api retries ten times in 30 minutes, long
 * after the user has left.
 *
 * @param apiUrl Slack's Web API, ending in a slash
 */
export function slackClientOptions(apiUrl: string, logger: Logger): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    logger: boltLogger(logger),
    timeout: 10_000,
    retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 1_000 },
    rejectRateLimitedCalls: true,
  }
}

/** Lines whose first characters are equal are of one kind. */
const KIND_LENGTH = 40

/** Writes Bolt's and web-api's log lines to our log. */
export function boltLogger(logger: Logger): BoltLogger {
  // Bolt writes a line for each request without a valid signature.
  const limit = createLogLimit(logger)
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: unknown[]): void => {
      const [err] = parts.filter((part) => part instanceof Error)
      const text = parts
        .filter((part) => !(part instanceof Error))
        .map(String)
        .join(' ')
      limit.write(text.slice(0, KIND_LENGTH), () => logger[level]({ ...(err && { err }) }, text))
    }
  return {
    // Debug lines contain whole messages, including an API key that an admin just typed.
    debug: logger.silent,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  }
}

/** Slack's error code of a failed Web API call, for example `hash_conflict`. */
export function slackErrorCode(error: unknown): string | undefined {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  return typeof data === 'object' &&
    data !== null &&
    'error' in data &&
    typeof data.error === 'string'
    ? data.error
    : undefined
}
