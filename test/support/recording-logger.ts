import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLogger } from '../../src/config/logger.ts'

/** The logger of a deployment, and the lines of JSON that it has written. */
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
