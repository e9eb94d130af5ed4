import type { Logger } from 'pino'
import { createChartPictures } from './chart/chart-pictures.ts'
import { type Clock, systemClock } from './timing/clock.ts'
import { DRIVERS } from './drivers/drivers.ts'
import { createTransport } from './client/transport.ts'
import { setCommand } from './config/command.ts'
import type { Config } from './config/config.ts'
import { withoutSlash } from './contract/endpoints.ts'
import { playgroundUnfurlDomains } from './config/unfurl-domains.ts'
import { openWhenReachable } from './database/open-when-reachable.ts'
import type { Threads } from './database/sqlite-thread.ts'
import { localServiceUrlWarning } from './doctor/address-checks.ts'
import { startMetrics } from './http/metrics-server.ts'
import { currentRequestId } from './http/request-context.ts'
import { announceStop, closeGracefully, createHttpServer, listen } from './http/server.ts'
import type { Playground } from './playground/open-playground.ts'
import type { Service } from './service/server.ts'
import { createSlackApp, type SlackApp, type SlackAppOptions } from './slack/app.ts'
import { chartImageRoutes, createChartLinks } from './slack/clicks/chart-links.ts'
import { botScopes, readManifest } from './slack/install/manifest.ts'
import { installRoutes } from './slack/install/installer.ts'
import { appPageRoutes } from './slack/pages/app-pages.ts'
import { slackRoutes } from './slack/platform/http-receiver.ts'
import { createQrLinks, qrImageRoutes } from './slack/platform/picture-links.ts'
import { resealSecrets } from './workspaces/encrypted-data.ts'
import { keyFilePath, loadOrCreateKeys } from './workspaces/encryption-keys.ts'
import type { Installations } from './workspaces/installations.ts'
import { createKeyring } from './workspaces/keyring.ts'
import { createStores } from './workspaces/stores.ts'
import type { WorkspacesOptions } from './workspaces/workspaces.ts'

/** The running app, and its addresses. */
export interface Running {
  appUrl: string
  /** The playground's page; absent if the app uses Slack itself. */
  playgroundUrl: string | undefined
  /** The page where workspaces install the app; absent with one bot token. */
  installUrl: string | undefined
  /** The link service's {base_url}. */
  serviceUrl: string
  /** Where the metrics for Prometheus are; undefined if nothing is measured. */
  metricsUrl: string | undefined
  /**
   * Set if Slack can't be reached yet, or refuses a token. Everything else works meanwhile, such as short URLs. Resolves
   * when the app answers Slack, or when it stops.
   */
  waitingForSlack: Promise<void> | undefined
  /**
   * Accepts no more requests, finishes what is in flight, and closes the database.
   *
   * @param delayMs how long to keep answering first while `/readyz` answers 503, in milliseconds
   */
  stop: (delayMs?: number) => Promise<void>
}

/** What `/readyz` says if no stored API key or token can be decrypted. Then no workspace can use the app. */
const WRONG_KEYS =
  'None of the stored API keys and tokens can be decrypted. Check ENCRYPTION_KEYS, or the file encryption.keys.'

/** The path below which the playground is served. */
const PLAYGROUND_PATH = '/playground'

/** How to stop each part that has started, in the order in which the parts started. */
type Stops = (() => Promise<unknown>)[]

/**
 * Starts everything that the configuration asks for. Slack may not let the app in for now (`waitingForSlack`).
 *
 * @throws the first error, after stopping what had started
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
  const stops: Stops = []
  const stopping = new AbortController()
  /** Stops the parts in reverse order. A part that fails to stop doesn't keep the others from stopping. */
  const stop = async (delayMs = 0): Promise<void> => {
    await announceStop(stopping, delayMs)
    for (const stopPart of stops.splice(0).reverse()) {
      await stopPart().catch((err: unknown) => logger.error({ err }, 'a part could not be stopped'))
    }
  }
  try {
    const parts = await startParts(config, logger, clock, threads, stops, stopping.signal)
    return { ...parts, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(
  config: Config,
  logger: Logger,
  clock: Clock,
  threads: Threads | undefined,
  stops: Stops,
  stopping: AbortSignal,
): Promise<Omit<Running, 'stop'>> {
  const now = (): number => clock.now()
  const measured = await startMetrics(config.metrics)
  if (measured) stops.push(() => measured.close())
  const metrics = measured?.metrics
  const { databasePoolSize: poolSize } = config
  const database = await openWhenReachable(config.databaseUrl, {
    poolSize,
    threads,
    metrics,
    logger,
    clock,
  })
  stops.push(() => database.close())
  const keyring = createKeyring(await encryptionKeys(config))
  const countSecrets = await resealSecrets(database.db, keyring, logger)
  metrics?.secrets(countSecrets)
  const transport = createTransport()
  stops.push(() => transport.close())

  const { linkService } = config
  let service: (Service & { url: string }) | undefined
  if (linkService.kind === 'built-in') {
    const { listenService } = await import('./service/start-service.ts')
    const listening = await listenService(config, database, logger, { now, stopping, metrics })
    stops.push(() => listening.close())
    service = listening
  }
  const baseUrl = linkService.kind === 'built-in' ? (service?.url ?? '') : linkService.baseUrl

  const serviceHosts = service?.publicHosts ?? [new URL(config.servicePublicUrl).host]

  const qrLinks = createQrLinks(keyring)
  const chartLinks = createChartLinks(keyring)
  const charts = createChartPictures()
  stops.push(() => charts.close())
  let slack: SlackApp | undefined = undefined
  /** Why Slack can't be used, by the variable of the token. */
  const slackProblems = new Map<string, string>()
  const server = createHttpServer({
    logger,
    trustProxy: config.trustProxy,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    stopping,
    metrics: metrics?.http('app'),
    isReady: async () => {
      await database.checkWritable()
      const secrets = await countSecrets()
      const isLocked = secrets.every(({ stored, unreadable }) => unreadable === stored)
      if (isLocked && secrets.some(({ stored }) => stored > 0)) return WRONG_KEYS
      const problems = [...slackProblems.values()].join(' ')
      return problems || slack?.isConnected() || 'The app is not connected to Slack yet.'
    },
  })
  await server.register(
    appPageRoutes(config.slack.mode === 'playground' ? PLAYGROUND_PATH : undefined, {
      operator: config.operator,
      isInstallable: 'oauth' in config.slack,
      hasOwnService: linkService.kind === 'built-in',
      hasMcp: config.slackMcp,
    }),
  )
  await server.register(qrImageRoutes(qrLinks))
  await server.register(chartImageRoutes(chartLinks, charts))
  if (config.slack.mode !== 'socket') {
    await server.register(
      slackRoutes(
        {
          '/slack/events': () => slack?.answer,
          ...(config.slackMcp && { '/slack/mcp': () => slack?.answerMcp }),
        },
        logger,
      ),
    )
  }
  if ('oauth' in config.slack) await server.register(installRoutes(() => slack?.installer))
  stops.push(async () => {
    // The playground's Slack is on this server, so what is in flight ends before the server closes.
    if (config.slack.mode === 'playground') await slack?.stop()
    await closeGracefully(server)
    // Commands that arrived while the server closed have been acknowledged, and may still run.
    await slack?.stop()
  })
  let playground: Playground | undefined
  if (config.slack.mode === 'playground') {
    const { openPlayground } = await import('./playground/open-playground.ts')
    playground = await openPlayground(server, {
      path: PLAYGROUND_PATH,
      manifest: readManifest(playgroundUnfurlDomains({ ...config, hosts: serviceHosts })),
      dashboardLink: service && (async () => service.url + (await service.createSignInLink())),
    })
  }
  const { host, port } = config
  const appUrl = await listen(server, { host, port, portVariable: 'PORT' })

  const stores = createStores({
    database,
    installedByOAuth: 'oauth' in config.slack,
    keyring,
    serviceHosts,
    now,
    ...keySource(config, service),
  })
  const clientOptions = {
    ...{ transport, baseUrl, clock, requestId: currentRequestId },
    metrics: metrics?.linkService(),
  }
  const driver = DRIVERS[linkService.kind === 'built-in' ? 'backhalf' : linkService.service]
  const createLinkService = await driver.load()
  const linkClient = (apiKey: string) => createLinkService({ ...clientOptions, apiKey })
  const waiting = Promise.withResolvers<undefined>()
  const connecting = createSlackApp({
    ...slackAccess(config, stores.installations, playground, appUrl),
    ...stores,
    keyring,
    qrLinks,
    chartLinks,
    charts,
    linkClient,
    serviceKind: driver === DRIVERS.backhalf ? undefined : driver,
    serviceUrl: linkService.kind === 'built-in' ? config.servicePublicUrl : baseUrl,
    publicUrl: config.publicUrl ?? (playground && appUrl),
    operator: config.operator,
    hasMcp: config.slackMcp,
    clock,
    logger,
    metrics: metrics?.slack(),
    stopping,
    onSlackProblem(variable, problem) {
      slackProblems.delete(variable)
      if (problem === undefined) return
      slackProblems.set(variable, problem)
      waiting.resolve(undefined)
    },
  }).then((app) => {
    slack = app
    playground?.connectApp(`${appUrl}/slack/events`)
    return app
  })
  stops.push(() => connecting.catch(() => undefined))
  const app = await Promise.race([connecting, waiting.promise])
  return {
    appUrl,
    installUrl:
      'oauth' in config.slack
        ? `${withoutSlash(config.publicUrl ?? appUrl)}/slack/install`
        : undefined,
    playgroundUrl: playground && `${appUrl}${PLAYGROUND_PATH}/`,
    serviceUrl: baseUrl,
    waitingForSlack: app ? undefined : untilAnswering(connecting, stopping, logger),
    metricsUrl: measured?.url,
  }
}

/** Resolves when the app answers Slack, or when it stops. */
function untilAnswering(
  connecting: Promise<SlackApp>,
  stopping: AbortSignal,
  logger: Logger,
): Promise<void> {
  return connecting.then(
    () => undefined,
    (err: unknown) => {
      if (!stopping.aborted) logger.error({ err }, 'the app can’t answer Slack; restart it')
    },
  )
}

/** ENCRYPTION_KEYS, or keys that are created once next to the SQLite file. */
async function encryptionKeys({
  encryptionKeys: configured,
  databaseUrl,
}: Config): Promise<Buffer[]> {
  if (configured) return [...configured]
  return loadOrCreateKeys(keyFilePath(databaseUrl))
}

/** Where a workspace gets a key from if no admin has connected it. */
function keySource(
  { fallback }: Config,
  service: Service | undefined,
): Pick<WorkspacesOptions, 'fallback' | 'provision' | 'withdraw'> {
  if (fallback) {
    const { apiKey, domain } = fallback
    return { fallback: { apiKey, domains: [{ name: domain, domain_name: domain }] } }
  }
  if (!service) return {}
  return {
    provision: ({ id, name = id }) => service.provision({ id, name }),
    withdraw: (id) => service.withdraw(id),
  }
}

/** How the app reaches Slack: with the deployment's tokens, or with the playground's. */
function slackAccess(
  { slack, unfurlDomains, slackMcp }: Config,
  installations: Installations,
  playground: Playground | undefined,
  appUrl: string,
): Pick<SlackAppOptions, 'source' | 'tokens' | 'apiUrl' | 'reachesLoopback'> {
  if (slack.mode === 'playground') {
    if (!playground) throw new Error('the playground was not opened')
    const { signingSecret, botToken } = playground
    return {
      source: { mode: 'http', signingSecret },
      tokens: { botToken },
      apiUrl: `${appUrl}${PLAYGROUND_PATH}/api/`,
      reachesLoopback: true,
    }
  }
  const { apiUrl } = slack
  const tokens =
    'oauth' in slack
      ? { oauth: slack.oauth, scopes: botScopes(unfurlDomains, slackMcp), installations }
      : { botToken: slack.botToken }
  return slack.mode === 'http'
    ? { source: { mode: 'http', signingSecret: slack.signingSecret }, tokens, apiUrl }
    : { source: { mode: 'socket', appToken: slack.appToken }, tokens, apiUrl }
}
