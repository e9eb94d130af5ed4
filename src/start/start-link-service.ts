import { createTransport } from '../client/transport.ts'
import type { Database } from '../database/database.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import { currentRequestId } from '../http/request-context.ts'
import type { LinkService } from '../port/link-service.ts'
import type { Service } from '../service/server.ts'
import type { ForeignService } from '../slack/settings/settings-form.ts'
import type { StartContext } from './start-context.ts'

export interface UsedLinkService {
  builtIn: (Service & { url: string }) | undefined
  baseUrl: string
  /** The hosts of short URLs. Another link service might have more of them. */
  hosts: readonly string[]
  /** Set if the service doesn't have Backhalf's interface. */
  foreign: ForeignService | undefined
  clientFor: (apiKey: string) => LinkService
}

export async function startLinkService(
  context: StartContext,
  database: Database,
): Promise<UsedLinkService> {
  const { config, clock, metrics, onStop } = context
  const transport = createTransport()
  onStop(() => transport.close())
  const { linkService } = config
  const isBuiltIn = linkService.kind === 'built-in'
  const builtIn = isBuiltIn ? await startBuiltIn(context, database) : undefined
  const baseUrl = isBuiltIn ? (builtIn?.url ?? '') : linkService.baseUrl
  const driver = DRIVERS[isBuiltIn ? 'backhalf' : linkService.service]
  const createClient = await driver.load()
  const options = {
    transport,
    baseUrl,
    clock,
    requestId: currentRequestId,
    metrics: metrics?.linkService(),
  }
  return {
    builtIn,
    baseUrl,
    hosts: builtIn?.publicHosts ?? [new URL(config.servicePublicUrl).host],
    foreign: driver === DRIVERS.backhalf ? undefined : driver,
    clientFor: (apiKey) => createClient({ ...options, apiKey }),
  }
}

async function startBuiltIn(context: StartContext, database: Database) {
  const { config, logger, clock, metrics, stopping, onStop } = context
  const { listenService } = await import('../service/start-service.ts')
  const now = (): number => clock.now()
  const service = await listenService(config, { database, logger, metrics, now, stopping })
  onStop(() => service.close())
  return service
}
