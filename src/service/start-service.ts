import type { Logger } from 'pino'
import { setCommand } from '../config/command.ts'
import type { ServiceConfig } from '../config/config.ts'
import { openWhenReachable } from '../database/open-when-reachable.ts'
import { startMetrics } from '../http/metrics-server.ts'
import { announceStop } from '../http/stopping.ts'
import { createService, type ServiceOptions } from './server.ts'

export async function startService(config: ServiceConfig, logger: Logger) {
  setCommand(config.command)
  await using opened = new AsyncDisposableStack()
  const metricsServer = await startMetrics(config.metrics)
  opened.defer(async () => metricsServer?.close())
  const metrics = metricsServer?.metrics
  const { databaseUrl, databasePoolSize: poolSize } = config
  const database = await openWhenReachable(databaseUrl, { poolSize, metrics, logger })
  opened.defer(() => database.close())
  const stopping = new AbortController()
  const parts = { database, logger, metrics, stopping: stopping.signal }
  const service = await listenService(config, parts)
  opened.defer(() => service.close())
  const running = opened.move()
  return {
    url: service.url,
    metricsUrl: metricsServer?.url,
    /** @param delayMs how long the service responds to new requests before it stops, while `/readyz` returns 503 */
    async stop(delayMs = 0): Promise<void> {
      await announceStop(stopping, delayMs)
      await running.disposeAsync()
    },
  }
}

type ServiceParts = Pick<ServiceOptions, 'database' | 'logger' | 'now' | 'stopping'> &
  Required<Pick<ServiceOptions, 'metrics'>>

export async function listenService(config: ServiceConfig, parts: ServiceParts) {
  const { servicePublicUrl: publicUrl, servicePort: port, host } = config
  const service = await createService({ ...config, publicUrl, ...parts })
  try {
    return { ...service, url: await service.listen({ host, port }) }
  } catch (error) {
    // Otherwise, the service's background work would keep the process alive.
    await service.close()
    throw error
  }
}
