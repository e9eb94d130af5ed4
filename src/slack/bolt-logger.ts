import { LogLevel, type Logger as BoltLogger } from '@slack/bolt'
import type { Logger } from 'pino'

/** Bolt's and web-api's log lines, in ours. */
export function boltLogger(logger: Logger): BoltLogger {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...parts: unknown[]): void => {
      const [err] = parts.filter((part) => part instanceof Error)
      const text = parts
        .filter((part) => !(part instanceof Error))
        .map(String)
        .join(' ')
      logger[level]({ ...(err && { err }) }, text)
    }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    getLevel: () => (logger.isLevelEnabled('debug') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => undefined,
  }
}
