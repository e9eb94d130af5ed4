import { fastify, LogController, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { FastifyBaseLogger, RawServerDefault } from 'fastify'
import type * as NodeHttp from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailableError } from '../database/errors.ts'
import type { HttpMetrics } from '../metrics/metrics.ts'
import { BODY_BUDGET, limitAddresses, limitBodies, messageClass } from './limits.ts'
import { createRequestId, inRequest } from './request-context.ts'
import { acceptBeforeClosing, responseClass } from './stopping.ts'
import { errorCode } from '../values/unknown-values.ts'

// With `import`, Node would read every export of node:http, also `WebSocket`, which loads Node's own fetch.
const http = createRequire(import.meta.url)('node:http') as typeof NodeHttp

// Longer than any URL that Node's HTTP parser accepts, so that every path reaches our own routes.
const MAX_PATH_LENGTH = 20_000

const READY_WITHIN_MS = 2_000

// These limits are long, because a slow connection needs 20 s for the largest upload.
const TIMEOUTS = {
  headersMs: 20_000,
  firstKilobyteMs: 10_000,
  requestMs: 60_000,
  idleMs: 120_000,
  checkEveryMs: 5_000,
}

export type Timeouts = typeof TIMEOUTS

// How many connections can be open, because each takes up to 50 KB of memory. If another client connects, its
// connection and all connections without a request are closed, so that the client can connect again.
const MAX_CONNECTIONS = 10_000

const MAX_CONNECTIONS_PER_ADDRESS = 200

export interface HttpServerOptions extends Pick<
  FastifyHttpOptions<RawServerDefault>,
  'frameworkErrors' | 'genReqId'
> {
  logger: FastifyBaseLogger
  trustProxy: string | undefined
  ignoreTrailingSlash?: boolean
  /**
   * Aborts some time before the server closes. From then on, `/readyz` returns 503 and every response closes its
   * connection, so that load balancers send their requests elsewhere.
   */
  stopping?: AbortSignal | undefined
  timeouts?: Partial<Timeouts>
  maxConnections?: number
  maxConnectionsPerAddress?: number | undefined
  bodyBudget?: typeof BODY_BUDGET
  /** @returns true if the server is ready; otherwise, false or the reason, which `/readyz` shows */
  isReady: () => Promise<boolean | string>
  metrics?: HttpMetrics | undefined
}

// The route of requests without one, in metrics.
const NO_ROUTE = 'none'

/** No route has a JSON schema. By default, Fastify would load its schema compilers at startup, which take 4 MB. */
export const NO_SCHEMAS = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
}

function refuseSchemas(): never {
  throw new Error('routes have no JSON schemas')
}

const READY = 'ok'

export function createHttpServer({
  logger,
  trustProxy = '',
  ignoreTrailingSlash = false,
  isReady,
  stopping,
  timeouts,
  maxConnections = MAX_CONNECTIONS,
  maxConnectionsPerAddress: perAddress = MAX_CONNECTIONS_PER_ADDRESS,
  bodyBudget = BODY_BUDGET,
  genReqId = createRequestId,
  metrics,
  ...options
}: HttpServerOptions): FastifyInstance {
  const limits = { ...TIMEOUTS, ...timeouts }
  const isStopping = (): boolean =>
    stopping?.aborted === true || server.closing?.signal.aborted === true
  const server: FastifyInstance = fastify({
    ...options,
    genReqId,
    http: {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      IncomingMessage: messageClass(http.IncomingMessage),
      ServerResponse: responseClass(http.ServerResponse, isStopping),
    },
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.idleMs,
    schemaController: NO_SCHEMAS,
    return503OnClosing: false, // A request that has arrived gets its response.
    logController: new LogController({ disableRequestLogging: true }),
    // Fastify would create a child logger for each request, which takes 2 µs. It isn't needed, because every log line
    // already has the request's ID (src/config/logger.ts).
    childLoggerFactory: () => logger,
    trustProxy: trustProxy || false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PATH_LENGTH, ignoreTrailingSlash },
  })
  server.server.maxConnections = maxConnections
  server.server.on('drop', () => server.server.closeIdleConnections())
  acceptBeforeClosing(server)
  // Fastify reads bodies outside of the request's context, so the handler of a request with a body enters it again.
  server.addHook('onRequest', ({ id }, _reply, done) => inRequest(done, id))
  server.addHook('preValidation', ({ id, body }, _reply, done) =>
    body === undefined ? done() : inRequest(done, id),
  )
  if (metrics) measureRequests(server, metrics)
  limitAddresses(server, perAddress, trustProxy, logger)
  limitBodies(server, bodyBudget, limits.firstKilobyteMs)
  server.addHook('onListen', (done) => {
    logger.info(`listening at ${server.listeningOrigin}`)
    done()
  })
  async function readiness(log: FastifyBaseLogger): Promise<{ status: string; reason?: string }> {
    if (isStopping()) return { status: 'stopping' }
    try {
      const result = await Promise.race([isReady(), failAfter(READY_WITHIN_MS)])
      if (typeof result === 'string') return { status: 'not ready', reason: result }
      return { status: result ? READY : 'not ready' }
    } catch (err) {
      log.error({ err }, 'the readiness check failed')
      // Other errors might contain secrets, so only the log shows them.
      const isPublic = err instanceof DatabaseUnavailableError
      return { status: 'not ready', ...(isPublic && { reason: err.message }) }
    }
  }
  server.get('/readyz', async (request, reply) => {
    const ready = await readiness(request.log)
    return reply.code(ready.status === READY ? 200 : 503).send(ready)
  })
  metrics?.watchReadiness(async () => (await readiness(logger)).status === READY)
  return server
}

function measureRequests(server: FastifyInstance, metrics: HttpMetrics): void {
  server.addHook('onResponse', (request, { raw, elapsedTime }, done) => {
    const { method, is404, routeOptions } = request
    const route = is404 ? NO_ROUTE : (routeOptions.url ?? NO_ROUTE)
    metrics.observeResponse(method, route, raw.statusCode, elapsedTime / 1_000)
    done()
  })
}

async function failAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false })
  throw new Error(`there was no result within ${ms} ms`)
}

export async function listen(
  server: FastifyInstance,
  { host, port, portVariable }: { host: string; port: number; portVariable: string },
): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const reason = code === 'EACCES' ? 'is not permitted' : 'is already in use'
    const message = `Port ${port} on ${host} ${reason}. Choose another with ${portVariable}.`
    throw new Error(message, { cause: error })
  }
}
