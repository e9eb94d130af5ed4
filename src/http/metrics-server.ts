import type { Socket } from 'node:net'
import { fastify } from 'fastify'
import { listen, NO_SCHEMAS } from './server.ts'
import { closeGracefully } from './stopping.ts'

// Prometheus opens one or two connections. If more than this many are open, the oldest is closed, so that idle
// connections can't keep Prometheus out.
const MAX_CONNECTIONS = 20

const REQUEST_TIMEOUT_MS = 5_000
const GRACE_MS = 1_000

/**
 * Starts to measure the process, and serves the metrics at a port of their own, without authentication. This server
 * starts first and closes last, so that Prometheus can read metrics while the other servers start and stop.
 * @param at undefined to measure nothing. Then, prom-client isn't loaded
 */
export async function startMetrics(at: { host: string; port: number } | undefined) {
  if (!at) return undefined
  const { createMetrics } = await import('../metrics/metrics.ts')
  const metrics = createMetrics()
  let scrape: Promise<string> | undefined
  const server = fastify({
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: REQUEST_TIMEOUT_MS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    schemaController: NO_SCHEMAS,
    forceCloseConnections: 'idle',
  })
  const connections = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket.once('close', () => connections.delete(socket)))
    const [oldest] = connections
    if (!oldest || connections.size <= MAX_CONNECTIONS) return
    connections.delete(oldest)
    oldest.destroy()
  })
  server.get('/metrics', async (_request, reply) => {
    // Requests that arrive together share a result, because anyone who reaches the port can send requests.
    scrape ??= metrics.text().finally(() => (scrape = undefined))
    return reply.type(metrics.contentType).send(await scrape)
  })
  const origin = await listen(server, { ...at, portVariable: 'METRICS_PORT' })
  return {
    metrics,
    url: `${origin}/metrics`,
    async close(): Promise<void> {
      metrics.close()
      await closeGracefully(server, GRACE_MS)
    },
  }
}
