import type { FastifyInstance } from 'fastify'
import type { HttpMetrics, RouteMetrics } from '../metrics/metrics.ts'

/** The route of requests that have none, such as those of unknown short URLs. */
const NO_ROUTE = 'none'

/**
 * Measures each request by its route. Call it before the routes are registered: each gets a hook of its own, so that
 * nothing has to be looked up for a request.
 */
export function measureRequests(server: FastifyInstance, metrics: HttpMetrics): void {
  server.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    const byMethod = new Map(methods.map((method) => [method, metrics.route(method, route.url)]))
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        byMethod.get(request.method)?.responded(reply.raw.statusCode, reply.elapsedTime / 1_000)
        done()
      },
    ]
  })

  const unrouted = new Map<string, RouteMetrics>()
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) {
      const { method } = request
      let route = unrouted.get(method)
      if (!route) {
        route = metrics.route(method, NO_ROUTE)
        unrouted.set(method, route)
      }
      route.responded(reply.raw.statusCode, reply.elapsedTime / 1_000)
    }
    done()
  })
}
