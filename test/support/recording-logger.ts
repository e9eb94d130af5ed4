import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLogger } from '../../src/config/logger.ts'

/** A logger as in production, and the JSON lines that it has written. */
export function recordingLogger(level: 'debug' | 'info' = 'info'): {
  logger: Logger
  lines: string[]
} {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().trimEnd().split('\n'))
      done()
    },
  })
  return { logger: createLogger({ level, format: 'json' }, destination), lines }
}
