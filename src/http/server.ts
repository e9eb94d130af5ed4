import { fastify, LogController, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { FastifyBaseLogger, RawServerDefault } from 'fastify'
import type * as NodeHttp from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailableError } from '../database/errors.ts'
import type { HttpMetrics } from '../metrics/metrics.ts'
import { limitAddresses } from './address-limit.ts'
import { BODY_BUDGET, limitBodies, messageClass } from './body-limits.ts'
import { createRequestIds, inRequest } from './request-context.ts'
import { errorCode } from '../values/unknown-values.ts'

/** An `import` would read every export of node:http, also `WebSocket`, which loads Node's own fetch. */
const http = createRequire(import.meta.url)('node:http') as typeof NodeHttp

/** Longer than any URL that Node's HTTP parser accepts, so that every path reaches our own routes. */
const MAX_PATH_LENGTH = 20_000

/** When the server closes, requests get 3 s to end. That is as long as Slack waits for a response. */
const DEFAULT_GRACE_MS = 3_000

const READY_WITHIN_MS = 2_000

/** These are long, because a slow connection needs 20 s for the largest upload. Slack sends everything at once. */
const TIMEOUTS = {
  headersMs: 20_000,
  firstKilobyteMs: 10_000,
  requestMs: 60_000,
  idleMs: 120_000,
  checkEveryMs: 5_000,
}

export type Timeouts = typeof TIMEOUTS

/**
 * At most this many connections are open, because each takes up to 50 KB of memory. A further one is closed at once,
 * and so are all connections that are idle between two requests, so that the client can connect again.
 */
const MAX_CONNECTIONS = 10_000

const MAX_CONNECTIONS_PER_ADDRESS = 200
const ACCEPT_WITHIN_MS = 500

/** A proxy that has asked `/healthz` sends its request within this time. */
const ASKED_WITHIN_MS = 100

export interface HttpServerOptions extends Pick<
  FastifyHttpOptions<RawServerDefault>,
  'frameworkErrors' | 'genReqId'
> {
  logger: FastifyBaseLogger
  trustProxy: string | undefined
  ignoreTrailingSlash?: boolean
  /**
   * Aborted some time before the server closes. From then on, `/readyz` says 503 and every response closes its
   * connection, so that load balancers send their requests elsewhere.
   */
  stopping?: AbortSignal | undefined
  timeouts?: Partial<Timeouts>
  maxConnections?: number
  maxConnectionsPerAddress?: number | undefined
  bodyBudget?: typeof BODY_BUDGET
  /** Whether the server can do its work, for `/readyz`. A text is the reason why it can't. */
  isReady: () => Promise<boolean | string>
  metrics?: HttpMetrics | undefined
}

const NO_ROUTE = 'none'

/** No route has a JSON schema. By default, Fastify would load its schema compilers at startup, which take 4 MB. */
export const NO_SCHEMAS = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
}

function refuseSchemas(): never {
  throw new Error('routes have no JSON schemas')
}

const READY = 'ok'

const closing = new WeakSet<FastifyInstance>()

/**
 * Creates a server with what the app and the service have in common: `/healthz`, `/readyz`, request IDs, metrics,
 * limits for connections and bodies, and a stop that lets requests end.
 */
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
  genReqId = createRequestIds(),
  metrics,
  ...options
}: HttpServerOptions): FastifyInstance {
  const { headersMs, firstKilobyteMs, requestMs, idleMs, checkEveryMs } = {
    ...TIMEOUTS,
    ...timeouts,
  }
  const isLeaving = (): boolean => stopping?.aborted === true || closing.has(server)
  const server: FastifyInstance = fastify({
    ...options,
    genReqId,
    http: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      IncomingMessage: messageClass(http.IncomingMessage),
      ServerResponse: responseClass(isLeaving),
    },
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    schemaController: NO_SCHEMAS,
    return503OnClosing: false, // A request that has arrived gets its response.
    logController: new LogController({ disableRequestLogging: true }),
    // With its own logger, Fastify would listen to the end of each response, only to log nothing. A child for each
    // request would cost 2 µs, and isn't needed: all lines have the request's ID (src/config/logger.ts).
    childLoggerFactory: () => logger,
    trustProxy: trustProxy || false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PATH_LENGTH, ignoreTrailingSlash },
  })
  server.server.maxConnections = maxConnections
  server.server.on('drop', () => server.server.closeIdleConnections())
  acceptBeforeClosing(server)
  // Fastify reads bodies outside of the request's context, so what follows a body enters it again.
  server.addHook('onRequest', ({ id }, _reply, done) => inRequest(done, id))
  server.addHook('preValidation', ({ id, body }, _reply, done) =>
    body === undefined ? done() : inRequest(done, id),
  )
  if (metrics) measureRequests(server, metrics)
  limitAddresses(server, perAddress, trustProxy, logger)
  limitBodies(server, bodyBudget, firstKilobyteMs)
  server.addHook('onListen', (done) => {
    logger.info(`listening at ${server.listeningOrigin}`)
    done()
  })
  async function readiness(log: FastifyBaseLogger): Promise<{ status: string; reason?: string }> {
    if (isLeaving()) return { status: 'stopping' }
    try {
      const isWorking = await Promise.race([isReady(), notInTime()])
      if (typeof isWorking === 'string') return { status: 'not ready', reason: isWorking }
      return { status: isWorking ? READY : 'not ready' }
    } catch (err) {
      log.error({ err }, 'the readiness check failed')
      // Other errors might contain secrets, so only the log shows them.
      const isKnown = err instanceof DatabaseUnavailableError
      return { status: 'not ready', ...(isKnown && { reason: err.message }) }
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

/**
 * Accepts and reads everything that arrived before the server closes. Otherwise, closing would reset connections that
 * wait to be accepted (Node accepts one in each turn of the event loop), and requests that have not been read yet.
 *
 * Caddy asks `/healthz` before it sends a request with a body, because it can't send a body twice (deploy/Caddyfile).
 * So the server waits for that request before it closes. While it closes, `/healthz` doesn't answer, and Caddy asks
 * again.
 */
function acceptBeforeClosing(server: FastifyInstance): void {
  let accepted = 0
  let askedAt = -Infinity
  server.server.on('connection', () => accepted++)
  server.get('/healthz', (request, reply) => {
    if (closing.has(server)) {
      request.raw.destroy()
      return reply.hijack()
    }
    askedAt = performance.now()
    return { status: 'ok' }
  })
  server.addHook('preClose', async () => {
    await sleep(Math.max(0, askedAt + ASKED_WITHIN_MS - performance.now()))
    const end = performance.now() + ACCEPT_WITHIN_MS
    let before: number
    do {
      before = accepted
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    } while (accepted > before && performance.now() < end)
  })
}

async function notInTime(): Promise<never> {
  await sleep(READY_WITHIN_MS, undefined, { ref: false })
  throw new Error(`there was no result within ${READY_WITHIN_MS} ms`)
}

type Headers = NodeHttp.OutgoingHttpHeaders | NodeHttp.OutgoingHttpHeader[]

function responseClass(isLeaving: () => boolean): typeof NodeHttp.ServerResponse {
  return class<
    Request extends NodeHttp.IncomingMessage = NodeHttp.IncomingMessage,
  > extends http.ServerResponse<Request> {
    // Node calls this for every response, before the first byte of its body.
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      if (isLeaving()) this.shouldKeepAlive = false
      return typeof reason === 'string'
        ? super.writeHead(status, reason, headers)
        : super.writeHead(status, reason ?? headers)
    }
  }
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

/** A load balancer takes some seconds to notice `stopping`, so the servers keep responding for a while. */
export async function announceStop(stopping: AbortController, delayMs: number): Promise<void> {
  stopping.abort()
  if (delayMs > 0) await sleep(delayMs)
}

export async function closeGracefully(server: FastifyInstance, graceMs = DEFAULT_GRACE_MS) {
  closing.add(server)
  server.server.keepAliveTimeout = 1 // For responses that began before the server was closing.
  const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}
