import type { FastifyInstance } from 'fastify'
import type { ChartPictures } from '../chart/chart-pictures.ts'
import { playgroundUnfurlDomains, type Config } from '../config/config.ts'
import { createHttpServer } from '../http/server.ts'
import { closeGracefully } from '../http/stopping.ts'
import type { Playground } from '../playground/open-playground.ts'
import type { SlackApp } from '../slack/app.ts'
import { chartImageRoutes, type ChartLinks } from '../slack/links/chart-links.ts'
import { installRoutes } from '../slack/install/installer.ts'
import { readManifest } from '../slack/install/manifest.ts'
import { appPageRoutes } from '../slack/pages/app-pages.ts'
import { slackRoutes } from '../slack/platform/http-receiver.ts'
import { qrImageRoutes, type QrLinks } from '../slack/platform/pictures.ts'
import type { StartContext } from './start-context.ts'
import type { Storage } from './start-database.ts'
import type { UsedLinkService } from './start-link-service.ts'

export const PLAYGROUND_PATH = '/playground'

/** The connection to Slack. It opens after the server, because the playground's simulated Slack is on the server. */
export interface SlackState {
  app: SlackApp | undefined
  /** The reasons why Slack can't be used, such as an invalid token. The key is the setting that holds the token. */
  problems: Map<string, string>
}

export interface Pictures {
  qrLinks: QrLinks
  chartLinks: ChartLinks
  charts: ChartPictures
}

const WRONG_KEYS_PROBLEM =
  'None of the stored API keys and tokens can be decrypted. Check ENCRYPTION_KEYS, or the file encryption.keys.'

export async function startServer(
  { config, logger, metrics, stopping, onStop }: StartContext,
  { database, isLocked }: Storage,
  pictures: Pictures,
  slack: SlackState,
): Promise<FastifyInstance> {
  const server = createHttpServer({
    logger,
    trustProxy: config.trustProxy,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    stopping,
    metrics: metrics?.http('app'),
    isReady: async () => {
      await database.checkWritable()
      if (await isLocked()) return WRONG_KEYS_PROBLEM
      const problems = [...slack.problems.values()].join(' ')
      return problems || slack.app?.isConnected() || 'The app is not connected to Slack yet.'
    },
  })
  const isPlayground = config.slack.mode === 'playground'
  await server.register(
    appPageRoutes(isPlayground ? PLAYGROUND_PATH : undefined, {
      operator: config.operator,
      isInstallable: 'oauth' in config.slack,
      hasOwnService: config.linkService.kind === 'built-in',
      hasMcp: config.slackMcp,
    }),
  )
  await server.register(qrImageRoutes(pictures.qrLinks))
  await server.register(chartImageRoutes(pictures.chartLinks, pictures.charts))
  if (config.slack.mode !== 'socket') {
    const receivers = {
      '/slack/events': () => slack.app?.handle,
      ...(config.slackMcp && { '/slack/mcp': () => slack.app?.handleMcp }),
    }
    await server.register(slackRoutes(receivers, logger))
  }
  if ('oauth' in config.slack) await server.register(installRoutes(() => slack.app?.installer))
  onStop(async () => {
    // The playground's simulated Slack is on this server, so the app's requests to it end before the server closes.
    if (isPlayground) await slack.app?.stop()
    await closeGracefully(server)
    // Commands that arrived while the server closed have been acknowledged, and might still run.
    await slack.app?.stop()
  })
  return server
}

export async function startPlayground(
  config: Config,
  server: FastifyInstance,
  { builtIn, hosts }: UsedLinkService,
): Promise<Playground | undefined> {
  if (config.slack.mode !== 'playground') return undefined
  const { openPlayground } = await import('../playground/open-playground.ts')
  return openPlayground(server, {
    path: PLAYGROUND_PATH,
    manifest: readManifest(playgroundUnfurlDomains(config.unfurlDomains, hosts)),
    dashboardLink: builtIn && (async () => builtIn.url + (await builtIn.createSignInLink())),
  })
}
