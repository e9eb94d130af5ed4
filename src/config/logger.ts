import type { Writable } from 'node:stream'
import { createRequire } from 'node:module'
import { pino, type Logger } from 'pino'
import type Pretty from 'pino-pretty'
import { currentRequestId } from '../http/request-context.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export const LOG_FORMATS = ['json', 'pretty'] as const

export interface LogConfig {
  readonly level: (typeof LOG_LEVELS)[number]
  readonly format: (typeof LOG_FORMATS)[number]
}

/** These properties are never logged: of a logged object, and of objects one or two levels inside it. */
const SECRET_PATHS = ['authorization', 'x-api-key', 'x-slack-signature', 'token', 'apiKey'].flatMap(
  (name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`],
)

export function createLogger({ level, format }: LogConfig, destination?: Writable): Logger {
  const options = {
    level,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    mixin: () => {
      const requestId = currentRequestId()
      return requestId === undefined ? {} : { requestId }
    },
  }
  if (format === 'json') return pino(options, destination)
  // Loaded only here, because most deployments log JSON.
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof Pretty
  const terminal = pretty({
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss',
    sync: true,
    ...(destination && { destination }),
  })
  return pino(options, { write: (line) => void terminal.write(withoutControls(line)) })
}

const ESCAPE_OR_CONTROL = /\\(?:u[\da-f]{4}|.)|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** In messages of other services, control characters could change a terminal's colors. Line breaks and tabs stay. */
function withoutControls(line: string): string {
  return line.replaceAll(ESCAPE_OR_CONTROL, (text) => {
    const isHarmlessEscape = /^\\(?:[^ubfr]|u(?!00[01]))/.test(text)
    return isHarmlessEscape ? text : String.raw`\ufffd`
  })
}
