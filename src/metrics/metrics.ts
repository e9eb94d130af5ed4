import { readFileSync } from 'node:fs'
import * as app from './app-metrics.ts'
import { databaseMetrics, type DatabaseMetrics } from './database-metrics.ts'
import { ANY, createDefinitions, type Definitions } from './definitions.ts'
import * as service from './service-metrics.ts'

/*
 * Parts of Backhalf import only types from these files, so that prom-client is loaded only if METRICS_PORT is set. The
 * function that a `watch…` method gets is called for each scrape. All times are in seconds. Values of labels come from
 * our own code. They never contain what a request contains, such as a path, hostname, team or user.
 */

export interface HttpMetrics {
  observeResponse: (method: string, route: string, status: number, seconds: number) => void
  watchReadiness: (isReady: () => Promise<boolean>) => void
}

export interface Metrics {
  http: (server: 'app' | 'service') => HttpMetrics
  database: (kind: string) => DatabaseMetrics
  slack: () => app.SlackMetrics
  linkService: () => app.LinkServiceMetrics
  watchSecrets: (read: () => Promise<{ name: string; unreadable: number }[]>) => void
  redirects: () => service.RedirectMetrics
  clicks: () => service.ClickMetrics
  destinations: () => service.DestinationMetrics
  text: () => Promise<string>
  contentType: string
  close: () => void
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const MEASURE_EVERY_MS = 20

export function createMetrics(): Metrics {
  const definitions = createDefinitions()
  const eventLoop = watchEventLoop(definitions)
  let database: DatabaseMetrics | undefined
  return {
    http: httpMetrics(definitions, eventLoop.start),
    database(kind) {
      if (!database) describeBuild(definitions, kind)
      return (database ??= databaseMetrics(definitions))
    },
    slack: () => app.slackMetrics(definitions),
    linkService: () => app.linkServiceMetrics(definitions),
    watchSecrets: (read) =>
      definitions.gauge(
        'backhalf_secrets_unreadable',
        'Stored API keys (workspaces) and tokens (installations) that ENCRYPTION_KEYS can’t decrypt.',
        ['of'],
        async () =>
          (await read()).map(({ name, unreadable }) => ({
            labels: { of: name },
            value: unreadable,
          })),
      ),
    redirects: () => service.redirectMetrics(definitions),
    clicks: () => service.clickMetrics(definitions),
    destinations: () => service.destinationMetrics(definitions),
    text: definitions.text,
    contentType: definitions.contentType,
    close: eventLoop.stop,
  }
}

function httpMetrics({ histogram, gauge }: Definitions, whenServing: () => void): Metrics['http'] {
  const durations = histogram(
    'backhalf_http_request_duration_seconds',
    'How long requests took, from their headers until the response was sent.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    { server: ANY, method: ANY, route: ANY, status: ANY },
  )
  const readinessChecks = new Map<string, () => Promise<boolean>>()
  gauge(
    'backhalf_ready',
    'Whether the server can do its work, as /readyz says: 1, or 0 if it can’t or is stopping.',
    ['server'],
    () =>
      Promise.all(
        [...readinessChecks].map(async ([server, isReady]) => ({
          labels: { server },
          value: Number(await isReady()),
        })),
      ),
  )
  return (server) => ({
    observeResponse(sentMethod, route, status, seconds) {
      // Clients can send any word as the method, but a metric needs a short list of values.
      const method = METHODS.includes(sentMethod) ? sentMethod : 'other'
      durations.observe({ server, method, route, status: String(status) }, seconds)
    },
    watchReadiness(isReady) {
      whenServing()
      readinessChecks.set(server, isReady)
    },
  })
}

/**
 * prom-client has such metrics (`nodejs_eventloop_lag_…`), but each scrape resets them, so two scrapers would each miss
 * a part. Nothing is measured before `start`, because no user waits for a process that still loads code.
 */
function watchEventLoop({ histogram }: Definitions) {
  const delays = histogram(
    'backhalf_event_loop_delay_seconds',
    'How late timers fire because the event loop is busy. Requests wait equally long.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  )
  let timer: NodeJS.Timeout | undefined
  return {
    start: () => {
      let due = performance.now() + MEASURE_EVERY_MS
      timer ??= setInterval(() => {
        const now = performance.now()
        delays.observe({}, Math.max(0, now - due) / 1_000)
        due = now + MEASURE_EVERY_MS
      }, MEASURE_EVERY_MS).unref()
    },
    stop: () => clearInterval(timer),
  }
}

function describeBuild({ gauge }: Definitions, database: string): void {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  gauge(
    'backhalf_build_info',
    'Always 1. The labels are the version of Backhalf and the kind of its database.',
    ['version', 'database'],
    () => [{ labels: { version, database }, value: 1 }],
  )
}
