import { fastify, LogController, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { RequestListener, Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than any URL that Node's HTTP parser accepts, so that every path reaches our own routes. */
const MAX_PATH_LENGTH = 20_000

/** As long as Slack waits for a response, in milliseconds. A later one would be of no use to it. */
const DEFAULT_GRACE_MS = 3_000

/** How long a readiness check may take, in milliseconds. */
const READY_WITHIN_MS = 2_000

export interface HttpServerOptions extends Pick<
  FastifyHttpOptions<Server>,
  | 'clientErrorHandler'
  | 'frameworkErrors'
  | 'genReqId'
  | 'http'
  | 'requestTimeout'
  | 'return503OnClosing'
> {
  logger: FastifyBaseLogger
  /** The proxies whose `X-Forwarded-*` headers to trust: addresses and networks, comma-separated. */
  trustProxy: string | undefined
  /** Ignores a slash at the end of a path. */
  ignoreTrailingSlash?: boolean
  /** Whether everything that the routes depend on works. An error is logged and counts as no. */
  isReady: () => Promise<boolean>
}

/**
 * Creates an HTTP server with `/healthz` (the process responds) and `/readyz` (it can do its work).
 * The caller registers the other routes.
 */
export function createHttpServer({
  logger,
  trustProxy = '',
  ignoreTrailingSlash = false,
  isReady,
  ...options
}: HttpServerOptions): FastifyInstance {
  const server = fastify({
    ...options,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy || false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PATH_LENGTH, ignoreTrailingSlash },
  })
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', async (request, reply) => {
    const ready = await Promise.race([isReady(), notInTime()]).catch((err: unknown) => {
      request.log.error({ err }, 'the readiness check failed')
      return false
    })
    return ready ? { status: 'ok' } : reply.code(503).send({ status: 'not ready' })
  })
  return server
}

async function notInTime(): Promise<never> {
  await sleep(READY_WITHIN_MS, undefined, { ref: false })
  throw new Error(`there was no result within ${READY_WITHIN_MS} ms`)
}

/**
 * Routes `POST` requests to a Node request listener, which reads their bodies itself.
 *
 * @param listener undefined while it can't accept requests: then the response is a 503
 */
export function postRoute(
  path: string,
  listener: () => RequestListener | undefined,
): FastifyPluginAsync {
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post(path, (request, reply) => {
      const handle = listener()
      if (!handle) return reply.code(503).send()
      reply.hijack()
      handle(request.raw, reply.raw)
      return reply
    })
  }
}

/**
 * Starts to listen. Port 0 takes a free port.
 *
 * @param at.portVariable the environment variable that sets the port, named in the error
 * @returns the address that the server listens on
 * @throws an Error that says what to do if the port is not available
 */
export async function listen(
  server: FastifyInstance,
  { host, port, portVariable }: { host: string; port: number; portVariable: string },
): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const reason = code === 'EACCES' ? 'is not permitted' : 'is already in use'
    const message = `Port ${port} on ${host} ${reason}. Choose another with ${portVariable}.`
    throw new Error(message, { cause: error })
  }
}

/**
 * Accepts no more requests and waits for those in flight.
 *
 * @param graceMs how long to wait, in milliseconds; after that, open connections are cut
 */
export async function closeGracefully(
  server: FastifyInstance,
  graceMs = DEFAULT_GRACE_MS,
): Promise<void> {
  server.server.keepAliveTimeout = 1 // Don't wait for another request on an idle connection.
  const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}
