import type { FastifyInstance } from 'fastify'
import type * as NodeHttp from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// When the server closes, requests get 3 s to end. That is as long as Slack waits for a response.
const DEFAULT_GRACE_MS = 3_000

const ACCEPT_WITHIN_MS = 500

// A proxy that has requested `/healthz` forwards its waiting request within this time.
const FORWARDED_WITHIN_MS = 100

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when `closeGracefully` starts. Absent on servers without `acceptBeforeClosing`. */
    closing?: AbortController
  }
}

/** A load balancer takes some seconds to notice `stopping`, so the servers keep responding for a while. */
export async function announceStop(stopping: AbortController, delayMs: number): Promise<void> {
  stopping.abort()
  if (delayMs > 0) await sleep(delayMs)
}

export async function closeGracefully(server: FastifyInstance, graceMs = DEFAULT_GRACE_MS) {
  server.closing?.abort()
  server.server.keepAliveTimeout = 1 // For responses that began before the server was closing.
  const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Without this, closing would reset connections that wait to be accepted (Node accepts one in each turn of the event
 * loop), and requests that have not been read yet.
 *
 * Caddy can't send a body twice, so it requests `/healthz` before it forwards a request with a body (deploy/Caddyfile).
 * If `/healthz` has responded, the server waits for that request before it closes. While the server closes, `/healthz`
 * doesn't respond, so Caddy retries and reaches the next server.
 */
export function acceptBeforeClosing(server: FastifyInstance): void {
  const closing = new AbortController()
  server.decorate('closing', closing)
  let acceptedConnections = 0
  let healthyAt = -Infinity
  server.server.on('connection', () => acceptedConnections++)
  server.get('/healthz', (request, reply) => {
    if (closing.signal.aborted) {
      request.raw.destroy()
      return reply.hijack()
    }
    healthyAt = performance.now()
    return { status: 'ok' }
  })
  server.addHook('preClose', async () => {
    await sleep(Math.max(0, healthyAt + FORWARDED_WITHIN_MS - performance.now()))
    const deadline = performance.now() + ACCEPT_WITHIN_MS
    // Once two turns of the event loop accept no connection, none is waiting anymore.
    let earlierConnections: number
    do {
      earlierConnections = acceptedConnections
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    } while (acceptedConnections > earlierConnections && performance.now() < deadline)
  })
}

type Headers = NodeHttp.OutgoingHttpHeaders | NodeHttp.OutgoingHttpHeader[]

/** Once the server is stopping, every response closes its connection. */
export function responseClass(
  Response: typeof NodeHttp.ServerResponse,
  isStopping: () => boolean,
): typeof NodeHttp.ServerResponse {
  return class<
    Request extends NodeHttp.IncomingMessage = NodeHttp.IncomingMessage,
  > extends Response<Request> {
    // Node calls this for every response, before the first byte of its body.
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      if (isStopping()) this.shouldKeepAlive = false
      return typeof reason === 'string'
        ? super.writeHead(status, reason, headers)
        : super.writeHead(status, reason ?? headers)
    }
  }
}
