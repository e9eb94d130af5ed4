import type { Logger } from 'pino'
import { createChartPictures } from './chart/chart-pictures.ts'
import { setCommand } from './config/command.ts'
import type { Config } from './config/config.ts'
import { withoutSlash } from './contract/endpoints.ts'
import type { Threads } from './database/sqlite-thread.ts'
import { localServiceUrlWarning } from './doctor/address-checks.ts'
import { startMetrics } from './http/metrics-server.ts'
import { listen } from './http/server.ts'
import { announceStop } from './http/stopping.ts'
import { createChartLinks } from './slack/links/chart-links.ts'
import { createQrLinks } from './slack/platform/pictures.ts'
import type { Running, StartContext } from './start/start-context.ts'
import { startDatabase } from './start/start-database.ts'
import { startLinkService } from './start/start-link-service.ts'
import {
  PLAYGROUND_PATH,
  startPlayground,
  startServer,
  type SlackState,
} from './start/start-server.ts'
import { startSlack } from './start/start-slack.ts'
import { systemClock, type Clock } from './timing/clock.ts'

/**
 * Starts the app and everything that it needs. If Slack can't be reached yet, it resolves with `waitingForSlack` set.
 * @throws the error of the first part that can't start. The parts before it are stopped again
 */
export async function start(
  config: Config,
  logger: Logger,
  clock: Clock = systemClock,
  threads?: Threads,
): Promise<Running> {
  setCommand(config.command)
  const warning = localServiceUrlWarning(config)
  if (warning !== undefined) logger.warn(warning)
  const stops: (() => Promise<unknown>)[] = []
  const stopping = new AbortController()
  const stop = async (delayMs = 0): Promise<void> => {
    await announceStop(stopping, delayMs)
    for (const stopPart of stops.splice(0).reverse()) {
      await stopPart().catch((err: unknown) => logger.error({ err }, 'a part could not be stopped'))
    }
  }
  const onStop: StartContext['onStop'] = (stopPart) => void stops.push(stopPart)
  const context = { config, logger, clock, threads, stopping: stopping.signal, onStop }
  try {
    return { ...(await startParts(context)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(parts: Omit<StartContext, 'metrics'>): Promise<Omit<Running, 'stop'>> {
  const { config, onStop } = parts
  const metricsServer = await startMetrics(config.metrics)
  if (metricsServer) onStop(() => metricsServer.close())
  const context = { ...parts, metrics: metricsServer?.metrics }

  const storage = await startDatabase(context)
  const linkService = await startLinkService(context, storage.database)

  const charts = createChartPictures()
  onStop(() => charts.close())
  const { keyring } = storage
  const pictures = {
    qrLinks: createQrLinks(keyring),
    chartLinks: createChartLinks(keyring),
    charts,
  }

  const slack: SlackState = { app: undefined, problems: new Map() }
  const server = await startServer(context, storage, pictures, slack)
  const playground = await startPlayground(config, server, linkService)
  const { host, port } = config
  const appUrl = await listen(server, { host, port, portVariable: 'PORT' })

  const { waitingForSlack } = await startSlack(
    context,
    { storage, linkService, pictures, playground, appUrl },
    slack,
  )
  const publicUrl = withoutSlash(config.publicUrl ?? appUrl)
  return {
    appUrl,
    installUrl: 'oauth' in config.slack ? `${publicUrl}/slack/install` : undefined,
    playgroundUrl: playground && `${appUrl}${PLAYGROUND_PATH}/`,
    serviceUrl: linkService.baseUrl,
    waitingForSlack,
    metricsUrl: metricsServer?.url,
  }
}
