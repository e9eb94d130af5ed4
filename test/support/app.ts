import { pino, type Logger } from 'pino'
import type { Clock } from '../../src/timing/clock.ts'
import { DEFAULT_COMMAND } from '../../src/config/command.ts'
import type { Config } from '../../src/config/config.ts'
import { start } from '../../src/start.ts'
import { freePort } from './free-port.ts'
import { newDatabaseUrl } from './new-database.ts'
import { reusedThreads } from './reused-threads.ts'
import { makeTempDir } from './temp-dir.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type WorkspaceOptions,
} from './workspace.ts'

export interface AppOptions {
  config?: Partial<Config>
  slack?: WorkspaceOptions
  clock?: Clock | undefined
  logger?: Logger
}

/** The whole app on loopback, in front of a simulated Slack workspace. */
export type TestApp = Awaited<ReturnType<typeof startApp>>

/**
 * Starts the app as `npm start` would with Slack's variables set: with a link service of its own,
 * on a SQLite file of its own, unless told otherwise.
 */
export async function startApp({
  config = {},
  slack: slackOptions = {},
  clock,
  logger = pino({ level: 'silent' }),
}: AppOptions = {}) {
  const directory = await makeTempDir()
  const slack = await startSimulatedWorkspace(slackOptions)
  const all = { ...(await testConfig(directory.path)), ...slackConfig(slack.apiUrl), ...config }
  const running = await start(all, logger, clock, reusedThreads)
  slack.connectApp(`${running.appUrl}/slack/events`)
  return {
    running,
    slack,
    databaseUrl: all.databaseUrl,
    async stop(): Promise<void> {
      await running.stop()
      await slack.close()
      await directory.remove()
    },
  }
}

/**
 * Starts as many more processes of an app, against its link service, with the same Slack.
 *
 * @param config has the app's database and its encryption keys
 * @param clock theirs, which might be ahead of the app's
 * @returns stops them
 */
export async function startProcesses(
  count: number,
  { running, slack }: TestApp,
  config: Partial<Config>,
  clock: Clock,
): Promise<() => Promise<void>> {
  const directory = await makeTempDir()
  const linkService = {
    kind: 'external',
    service: 'backhalf',
    baseUrl: running.serviceUrl,
  } as const
  const processes = await Promise.all(
    Array.from({ length: count }, async () => {
      const own = { ...(await testConfig(directory.path)), ...slackConfig(slack.apiUrl) }
      const all = { ...own, ...config, linkService }
      return start(all, pino({ level: 'silent' }), clock, reusedThreads)
    }),
  )
  return async () => {
    for (const process of processes) await process.stop()
    await directory.remove()
  }
}

/**
 * A configuration with everything in one directory, and free ports. Short URLs hold the service's
 * port, so it must be known before the service listens.
 */
export async function testConfig(directory: string): Promise<Config> {
  const servicePort = await freePort()
  return {
    slack: { mode: 'playground' },
    command: DEFAULT_COMMAND,
    linkService: { kind: 'built-in' },
    fallback: undefined,
    databasePoolSize: undefined,
    databaseUrl: await newDatabaseUrl(directory),
    encryptionKeys: undefined,
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    operator: {},
    unfurlDomains: [],
    slackMcp: false,
    servicePort,
    servicePublicUrl: `http://localhost:${servicePort}`,
    trustProxy: undefined,
    maxConnectionsPerAddress: undefined,
    blocklistPath: undefined,
    linkQuota: undefined,
    clicksDays: undefined,
    checksDestinations: false,
    metrics: undefined,
    shutdownDelayMs: 0,
    log: { level: 'error', format: 'json' },
  }
}

function slackConfig(apiUrl: string): Pick<Config, 'slack'> {
  return {
    slack: { mode: 'http', signingSecret: SIGNING_SECRET, botToken: BOT_TOKEN, apiUrl },
  }
}
