import type { HttpMetrics, Metrics } from './metrics.ts'
import type { Histogram, Registry } from './registry.ts'

/** A redirect takes less than a millisecond. Slack waits for three seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** @returns a function that creates the metrics of a server. Both servers use the same names */
export function createHttpMetrics(registry: Registry): Metrics['http'] {
  const durations = registry.histogram(
    {
      name: 'backhalf_http_request_duration_seconds',
      help: 'How long requests took, from their headers until the response was sent.',
      labels: ['server', 'method', 'route', 'status'],
    },
    BOUNDS,
  )
  const checks = new Map<string, () => Promise<boolean>>()
  registry.gauge(
    {
      name: 'backhalf_ready',
      help: 'Whether the server can do its work (1), as /readyz says. It is 0 while the server stops.',
      labels: ['server'],
    },
    () =>
      Promise.all(
        [...checks].map(async ([server, isReady]) => ({
          labels: { server },
          value: Number(await isReady()),
        })),
      ),
  )
  return (server): HttpMetrics => ({
    route(anyMethod, route) {
      const method = METHODS.includes(anyMethod) ? anyMethod : 'other'
      const byStatus = new Map<number, Histogram>()
      return {
        responded(status, seconds) {
          let histogram = byStatus.get(status)
          if (!histogram) {
            histogram = durations({ server, method, route, status: String(status) })
            byStatus.set(status, histogram)
          }
          histogram.observe(seconds)
        },
      }
    },
    watchReadiness: (isReady) => void checks.set(server, isReady),
  })
}
