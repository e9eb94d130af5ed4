import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { createHttpServer, listen, type HttpServerOptions } from '../../src/http/server.ts'
import { recordingLogger } from './recording-logger.ts'

/** Creates a server for a test, which closes it. `lines` are what it logs. */
export function httpServer(options: Partial<HttpServerOptions> = {}): {
  server: FastifyInstance
  lines: string[]
} {
  const { logger, lines } = recordingLogger()
  const isReady = (): Promise<boolean> => Promise.resolve(true)
  const server = createHttpServer({ logger, trustProxy: undefined, isReady, ...options })
  onTestFinished(() => server.close())
  return { server, lines }
}

/** Lets a server listen on a free port. @returns its origin */
export function listening(server: FastifyInstance): Promise<string> {
  return listen(server, { host: '127.0.0.1', port: 0, portVariable: 'PORT' })
}
