import { readFileSync } from 'node:fs'
import { createLinkServiceMetrics, createSlackMetrics } from './app-metrics.ts'
import { createDatabaseMetrics } from './database-metrics.ts'
import { watchEventLoop } from './event-loop.ts'
import { createHttpMetrics } from './http-metrics.ts'
import type { DatabaseMetrics, Metrics } from './metrics.ts'
import { createRegistry, type Registry } from './registry.ts'
import { createClickMetrics, createRedirectMetrics } from './service-metrics.ts'

/** Starts to measure the process. The text contains only what the parts ask for. */
export function createMetrics(): Metrics {
  const registry = createRegistry()
  const stopWatching = watchEventLoop(registry)
  const http = createHttpMetrics(registry)
  let database: DatabaseMetrics | undefined
  return {
    http,
    database(kind) {
      if (!database) describeBuild(registry, kind)
      return (database ??= createDatabaseMetrics(registry))
    },
    slack: () => createSlackMetrics(registry),
    linkService: () => createLinkServiceMetrics(registry),
    redirects: () => createRedirectMetrics(registry),
    clicks: () => createClickMetrics(registry),
    text: () => registry.text(),
    contentType: registry.contentType,
    close: stopWatching,
  }
}

function describeBuild(registry: Registry, database: string): void {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  registry.gauge(
    {
      name: 'backhalf_build_info',
      help: 'Always 1. The labels are the version of Backhalf and the kind of its database.',
      labels: ['version', 'database'],
    },
    () => [{ labels: { version, database }, value: 1 }],
  )
}
