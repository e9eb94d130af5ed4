import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** Members of logged objects that are never written, wherever they stand in the first two levels. */
const SECRETS = ['authorization', 'x-api-key', 'x-slack-signature', 'token', 'apiKey'].flatMap(
  (name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`],
)

/** Log lines on standard output: JSON for machines, or for people on a terminal. */
export function createLogger({ level, format }: Config['log']): Logger {
  const options = { level, redact: { paths: SECRETS, censor: '[secret]' } }
  return format === 'json'
    ? pino(options)
    : pino(options, pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true }))
}
