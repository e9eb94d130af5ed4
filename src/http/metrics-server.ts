import type { Socket } from 'node:net'
import { fastify } from 'fastify'
import { closeGracefully, listen, NO_SCHEMAS } from './server.ts'

/**
 * Prometheus opens one or two connections. If there are too many, the oldest is closed, so that idle connections don't
 * keep a scraper out.
 */
const MAX_CONNECTIONS = 20

const REQUEST_TIMEOUT_MS = 5_000
const GRACE_MS = 1_000

/**
 * Starts to measure the process, and serves the metrics at a port of their own, without authentication. Start this
 * server first and close it last, so that everything else can be watched while it starts and stops. Without a port,
 * nothing is measured, and prom-client isn't loaded.
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
