import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createLinkClient, type LinkClient } from './client/link-client.ts'
import { createTransport } from './client/transport.ts'
import type { Config, ServiceConfig } from './config.ts'
import { openDatabase, sqlitePath, type Database } from './database/database.ts'
import { openPlayground, type Playground } from './open-playground.ts'
import { close, listen, portError } from './listening.ts'
import { createAppServer } from './server.ts'
import { createService, type Service } from './service/server.ts'
import { createSlackApp, type SlackApp, type SlackAppOptions } from './slack/app.ts'
import { createQrLinks } from './slack/qr-links.ts'
import { botScopes } from './slack/install/manifest.ts'
import { createInstallations, type Installations } from './workspaces/installations.ts'
import { playgroundUnfurlDomains } from './unfurl-domains.ts'
import { createKeyring } from './workspaces/keyring.ts'
import { loadOrCreateKeys } from './workspaces/encryption-keys.ts'
import { createMadeLinks } from './workspaces/made-links.ts'
import { createRecentUtm } from './workspaces/recent-utm.ts'
import { createSettingsStore } from './workspaces/settings.ts'
import { createWorkspaces, type WorkspacesOptions } from './workspaces/workspaces.ts'

/** What runs, and where it is reached. */
export interface Running {
  appUrl: string
  /** The page of the local workspace; absent where the app speaks to Slack itself. */
  playgroundUrl: string | undefined
  /** Where workspaces install the app; absent with one bot token. */
  installUrl: string | undefined
  /** The link service's {base_url}. */
  serviceUrl: string
  /** Stops taking requests, finishes what is under way, and closes the database. */
  stop: () => Promise<void>
}

/** How long somebody in Slack waits for the link service at most, in milliseconds. */
const LINK_SERVICE_DEADLINE_MS = 10_000

type Stop = () => Promise<unknown>

/**
 * Starts everything that the configuration asks for.
 *
 * @throws the first failure, after stopping what had started
 */
export async function start(config: Config, logger: Logger): Promise<Running> {
  const stops: Stop[] = []
  /** In the reverse order of starting; each is tried, whatever became of the others. */
  const stop = async (): Promise<void> => {
    for (const close of stops.splice(0).reverse()) {
      await close().catch((err: unknown) => logger.error({ err }, 'stopping failed'))
    }
  }
  try {
    return { ...(await startParts(config, logger, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(
  config: Config,
  logger: Logger,
  stops: Stop[],
): Promise<Omit<Running, 'stop'>> {
  const database = await openDatabase(config.databaseUrl)
  stops.push(() => database.close())
  const keyring = createKeyring(await encryptionKeys(config))
  const qrLinks = createQrLinks(keyring)
  const transport = createTransport()
  stops.push(() => transport.close())

  const { linkService } = config
  const service =
    linkService.kind === 'inside' ? await listeningService(config, database, logger) : undefined
  if (service) stops.push(() => service.close())
  const baseUrl = linkService.kind === 'inside' ? (service?.url ?? '') : linkService.baseUrl

  let slack: SlackApp | undefined
  const server = await createAppServer({
    logger,
    trustProxy: config.trustProxy,
    qrLinks,
    installer: 'oauth' in config.slack ? () => slack?.installer : undefined,
    slackListener: config.slack.mode === 'socket' ? undefined : () => slack?.requestListener,
    isReady: async () => slack !== undefined && (await answers(database)),
  })
  stops.push(() => close(server))
  const playground =
    config.slack.mode === 'playground'
      ? await openPlayground(server, playgroundUnfurlDomains(config))
      : undefined
  const appUrl = await listen(server, config.host, config.port, 'PORT')

  const keeping = { database, installedByOAuth: 'oauth' in config.slack }
  const workspaces = createWorkspaces({
    ...keeping,
    keyring,
    ...keySource(config, service),
  })
  const installations = createInstallations({ database, keyring })
  const { unreadable } = await workspaces.reseal()
  if (unreadable > 0) {
    logger.error(`${unreadable} workspaces were sealed with a key that ENCRYPTION_KEYS lacks`)
  }
  const { unreadable: lost } = await installations.reseal()
  if (lost > 0) {
    logger.error(`${lost} installations were sealed with a key that ENCRYPTION_KEYS lacks`)
  }
  const app = await createSlackApp({
    ...slackAccess(config, installations, playground, appUrl),
    workspaces,
    settings: createSettingsStore(keeping),
    recentUtm: createRecentUtm(keeping),
    madeLinks: createMadeLinks(keeping),
    keyring,
    qrLinks,
    linkClient: (apiKey): LinkClient =>
      createLinkClient({ transport, baseUrl, apiKey, deadlineMs: LINK_SERVICE_DEADLINE_MS }),
    serviceUrl: linkService.kind === 'inside' ? config.servicePublicUrl : baseUrl,
    publicUrl: config.publicUrl,
    logger,
  })
  slack = app
  stops.push(() => {
    slack = undefined // Nothing new is taken while what is under way ends.
    return app.stop()
  })
  playground?.connectApp(`${appUrl}/slack/events`)
  return {
    appUrl,
    installUrl: app.installer && `${(config.publicUrl ?? appUrl).replace(/\/$/, '')}/slack/install`,
    playgroundUrl: playground && `${appUrl}${playground.path}/`,
    serviceUrl: baseUrl,
  }
}

async function answers({ db }: Database): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}

/** ENCRYPTION_KEYS, else keys made once beside the SQLite file. */
async function encryptionKeys({ encryptionKeys: given, databaseUrl }: Config): Promise<Buffer[]> {
  if (given) return [...given]
  return loadOrCreateKeys(join(dirname(sqlitePath(databaseUrl)), 'encryption.keys'))
}

/** The link service alone. */
export async function startService(
  config: ServiceConfig,
  logger: Logger,
): Promise<{ serviceUrl: string; stop: () => Promise<void> }> {
  const database = await openDatabase(config.databaseUrl)
  try {
    const service = await listeningService(config, database, logger)
    const stop = async (): Promise<void> => {
      await service.close()
      await database.close()
    }
    return { serviceUrl: service.url, stop }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listeningService(
  config: ServiceConfig,
  database: Database,
  logger: Logger,
): Promise<Service & { url: string }> {
  const { servicePublicUrl: publicUrl, trustProxy, blocklistPath, host, servicePort: port } = config
  const service = await createService({ database, publicUrl, trustProxy, blocklistPath, logger })
  const url = await service.listen({ host, port }).catch((error: unknown) => {
    throw portError(error, host, port, 'SERVICE_PORT')
  })
  return { ...service, url }
}

/** Where a workspace that has not connected its own key gets one from. */
function keySource(
  { fallback }: Config,
  service: Service | undefined,
): Pick<WorkspacesOptions, 'fallback' | 'provision'> {
  if (fallback) {
    const { apiKey, domain } = fallback
    return { fallback: { apiKey, domains: [{ name: domain, domain_name: domain }] } }
  }
  if (!service) return {}
  return { provision: ({ id, name = id }) => service.provision({ id, name }) }
}

/** How the app reaches Slack: with the deployment's tokens, or the playground's own. */
function slackAccess(
  { slack, unfurlDomains }: Config,
  installations: Installations,
  playground: Playground | undefined,
  appUrl: string,
): Pick<SlackAppOptions, 'connection' | 'tokens' | 'apiUrl'> {
  if (slack.mode === 'playground') {
    if (!playground) throw new Error('the playground was not opened')
    const { signingSecret, botToken } = playground
    return {
      connection: { mode: 'http', signingSecret },
      tokens: { botToken },
      apiUrl: `${appUrl}${playground.path}/api/`,
    }
  }
  const { apiUrl } = slack
  const tokens =
    'oauth' in slack
      ? { oauth: slack.oauth, scopes: botScopes(unfurlDomains), installations }
      : { botToken: slack.botToken }
  return slack.mode === 'http'
    ? { connection: { mode: 'http', signingSecret: slack.signingSecret }, tokens, apiUrl }
    : { connection: { mode: 'socket', appToken: slack.appToken }, tokens, apiUrl }
}
