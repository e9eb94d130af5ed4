import type { Logger } from 'pino'
import { setCommand } from '../config/command.ts'
import type { ServiceConfig } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { openWhenReachable } from '../database/open-when-reachable.ts'
import { startMetrics } from '../http/metrics-server.ts'
import { announceStop } from '../http/server.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createService, type Service } from './server.ts'

export async function startService(config: ServiceConfig, logger: Logger) {
  setCommand(config.command)
  await using opened = new AsyncDisposableStack()
  const measured = await startMetrics(config.metrics)
  opened.defer(async () => measured?.close())
  const metrics = measured?.metrics
  const { databaseUrl, databasePoolSize: poolSize } = config
  const database = await openWhenReachable(databaseUrl, { poolSize, metrics, logger })
  opened.defer(() => database.close())
  const stopping = new AbortController()
  const options = { stopping: stopping.signal, metrics }
  const service = await listenService(config, database, logger, options)
  opened.defer(() => service.close())
  const running = opened.move()
  return {
    url: service.url,
    metricsUrl: measured?.url,
    /** @param delayMs how long `/readyz` returns 503 before the service stops answering */
    async stop(delayMs = 0): Promise<void> {
      await announceStop(stopping, delayMs)
      await running.disposeAsync()
    },
  }
}

export async function listenService(
  config: ServiceConfig,
  database: Database,
  logger: Logger,
  {
    now = Date.now,
    stopping,
    metrics,
  }: { now?: () => number; stopping?: AbortSignal; metrics?: Metrics | undefined } = {},
): Promise<Service & { url: string }> {
  const { servicePublicUrl: publicUrl, servicePort: port, host } = config
  const service = await createService({
    ...config,
    ...{ publicUrl, database, logger, stopping, metrics, now },
  })
  try {
    return { ...service, url: await service.listen({ host, port }) }
  } catch (error) {
    // Its background work would keep the process alive.
    await service.close()
    throw error
  }
}
