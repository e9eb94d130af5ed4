import { LogLevel, type Logger as BoltLogger } from '@slack/bolt'
import type { Logger } from 'pino'

/** Bolt's and web-api's log lines, in ours. */
export function boltLogger(logger: Logger): BoltLogger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: unknown[]): void => {
      const [err] = parts.filter((part) => part instanceof Error)
      const text = parts
        .filter((part) => !(part instanceof Error))
        .map(String)
        .join(' ')
      logger[level]({ ...(err && { err }) }, text)
    }
  return {
    // Never: at that level they write out whole messages, an API key that was just typed with them.
    debug: () => undefined,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  }
}
