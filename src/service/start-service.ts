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
  const measured = await startMetrics(config.metrics)
  const metrics = measured?.metrics
  const stopping = new AbortController()
  let database: Database | undefined
  try {
    database = await openWhenReachable(config.databaseUrl, {
      poolSize: config.databasePoolSize,
      metrics,
      logger,
    })
    const service = await listenService(config, database, logger, {
      stopping: stopping.signal,
      metrics,
    })
    return {
      url: service.url,
      metricsUrl: measured?.url,
      /** @param delayMs how long `/readyz` returns 503 before the service stops answering */
      async stop(delayMs = 0): Promise<void> {
        await announceStop(stopping, delayMs)
        await service.close()
        await database?.close()
        await measured?.close()
      },
    }
  } catch (error) {
    await database?.close()
    await measured?.close()
    throw error
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
