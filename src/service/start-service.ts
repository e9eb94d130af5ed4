import type { Logger } from 'pino'
import type { ServiceConfig } from '../config/config.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { createService, type Service } from './server.ts'

/** A service that listens. */
export interface RunningService {
  /** The service's {base_url}. */
  url: string
  stop: () => Promise<void>
}

/** Starts the link service with a database of its own. */
export async function startService(config: ServiceConfig, logger: Logger): Promise<RunningService> {
  const database = await openDatabase(config.databaseUrl, { poolSize: config.databasePoolSize })
  try {
    const service = await listenService(config, database, logger)
    return {
      url: service.url,
      async stop() {
        await service.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Starts the link service on an open database, which stays open when the service closes.
 *
 * @param now milliseconds since 1970
 */
export async function listenService(
  config: ServiceConfig,
  database: Database,
  logger: Logger,
  now: () => number = Date.now,
): Promise<Service & { url: string }> {
  const { servicePublicUrl: publicUrl, trustProxy, blocklistPath, linkQuota } = config
  const { host, servicePort: port } = config
  const service = await createService({
    database,
    publicUrl,
    trustProxy,
    blocklistPath,
    linkQuota,
    logger,
    now,
  })
  return { ...service, url: await service.listen({ host, port }) }
}
