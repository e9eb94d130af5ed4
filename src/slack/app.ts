import type { Operator } from '../config/config.ts'
import type { ShortenPlatform } from './links/links.ts'
import type { ForeignService } from './settings/settings-form.ts'
import type { Receiver } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import type { LinkService } from '../port/link-service.ts'
import type { ChartPictures } from '../chart/chart-pictures.ts'
import { createPictures } from '../picture/pictures.ts'
import type { SlackMetrics } from '../metrics/app-metrics.ts'
import { within } from '../timing/clock.ts'
import type { Keyring } from '../workspaces/keyring.ts'
import type { Stores } from '../workspaces/stores.ts'
import { installedIn } from '../workspaces/workspace.ts'
import { createAlertChecks } from './alerts/check-alerts.ts'
import { registerAlerts } from './alerts/index.ts'
import { registerClicks } from './clicks/index.ts'
import { registerDashboard } from './dashboard/index.ts'
import { registerImport } from './import/index.ts'
import { createSlackAuth, registerInstall, type SlackTokens } from './install/index.ts'
import type { Installer } from './install/installer.ts'
import { createKeyNotices } from './key-notice/key-notices.ts'
import { registerLinkMenu } from './link-menu/index.ts'
import { createChartSource, type ChartLinks } from './links/chart-links.ts'
import { createMostUsedTags } from './links/most-used-tags.ts'
import { createPermissions } from './links/permissions.ts'
import { createWorkspaceLinkService } from './links/workspace-link-service.ts'
import { createHomeTab } from './list/home-tab.ts'
import { registerList } from './list/index.ts'
import { registerMessageLinks } from './message-links/index.ts'
import { pageLinkBlocks } from './pages/app-pages.ts'
import { BoltApp } from './platform/bolt-app.ts'
import { createHttpReceiver, type HttpReceiver } from './platform/http-receiver.ts'
import { createListeners } from './platform/listeners.ts'
import { createQrSource, type QrLinks } from './platform/pictures.ts'
import { createPlatform } from './platform/platform.ts'
import { boltLogger, slackClientOptions, type ClientFor } from './platform/slack-client.ts'
import { createFileDownload } from './platform/slack-files.ts'
import { createSocketReceiver } from './platform/socket-receiver.ts'
import type { StartOptions } from './platform/slack-errors.ts'
import { createReminders, registerReminders } from './reminders/index.ts'
import { registerReport } from './report/index.ts'
import { registerSettings } from './settings/index.ts'
import { createOldApprovals } from './shorten/approval/decisions.ts'
import { registerShorten } from './shorten/index.ts'
import { fetchPreviewImage } from './shorten/preview-images.ts'
import { registerUnfurl } from './unfurl/index.ts'
import { createWeeklyReports } from './weekly-report/index.ts'

export interface SlackAppOptions extends StartOptions, Omit<Stores, 'installations'> {
  source: { mode: 'http'; signingSecret: string } | { mode: 'socket'; appToken: string }
  tokens: SlackTokens
  apiUrl: string
  reachesLoopback?: boolean
  keyring: Keyring
  qrLinks: QrLinks
  chartLinks: ChartLinks
  charts: Pick<ChartPictures, 'draw'>
  linkClient: (apiKey: string) => LinkService
  serviceUrl: string
  serviceKind?: ForeignService | undefined
  publicUrl: string | undefined
  operator: Operator
  hasMcp?: boolean
  metrics?: SlackMetrics | undefined
}

export interface SlackApp {
  handle?: HttpReceiver['handle'] | undefined
  handleMcp?: HttpReceiver['handle'] | undefined
  isConnected: () => boolean
  installer: Installer | undefined
  stop(): Promise<void>
}

const DRAIN_WITHIN_MS = 6_000 // Supervisors kill a process after ten seconds.

/** Connects the app to Slack, registers the listeners of every feature, and starts scheduled work. */
export async function createSlackApp(options: SlackAppOptions): Promise<SlackApp> {
  const { apiUrl, logger, source, clock, metrics } = options
  const clientOptions = slackClientOptions(apiUrl, logger, clock, metrics)
  const common = createPlatform(options)
  const { tasks } = common
  const auth = await createSlackAuth({ ...options, clientOptions, tasks })
  const clientFor: ClientFor = async (id) => {
    const { botToken } = await auth.authorize(installedIn(id))
    return new WebClient(botToken, clientOptions)
  }
  const onRefusedKey = createKeyNotices(common, {
    ...options,
    store: options.keyNotices,
    clientFor,
  })
  const linkService = createWorkspaceLinkService({ ...common, ...options, onRefusedKey })
  const sources = { ...common, ...options, linkService }
  const links = {
    linkService,
    permissions: createPermissions(sources),
    mostUsedTags: createMostUsedTags(clock, linkService),
    qrSource: createQrSource({ ...sources, capabilities: linkService.capabilities }),
    chartSource: createChartSource(sources),
    createdLinks: options.createdLinks,
  }
  const receiver: Receiver & Pick<SlackApp, 'handle' | 'isConnected'> =
    source.mode === 'socket'
      ? createSocketReceiver({ ...options, appToken: source.appToken, clientOptions })
      : createHttpReceiver(source.signingSecret)
  const appOptions = {
    receiver,
    authorize: auth.authorize,
    extendedErrorHandler: true,
    clientOptions,
    convoStore: false, // We store no conversations, but Bolt would look for one on every request.
    logger: boltLogger(logger),
  } as const
  const app = new BoltApp(appOptions, common, metrics)

  const pageLinks = pageLinkBlocks(options.publicUrl, options.operator)
  const homeTab = createHomeTab({ ...common, ...links }, { ...options, pageLinks })
  const downloadFile = createFileDownload(apiUrl, clock, fetch)
  const pictures = createPictures(logger)
  const { recentUtm, linkApprovals } = options
  const platform: ShortenPlatform = {
    ...common,
    ...links,
    homeTab,
    recentUtm,
    linkApprovals,
    fetchPreviewImage: (...image) => fetchPreviewImage(downloadFile, pictures, ...image),
  }
  const listeners = createListeners(app, platform)
  registerShorten(listeners, platform, pageLinks)
  registerMessageLinks(listeners, platform)
  const imports = registerImport(listeners, platform, { ...options, downloadFile, clientFor })
  registerList(listeners, platform)
  registerClicks(listeners, platform)
  registerLinkMenu(listeners, platform)
  registerReport(listeners, platform)
  const alertPlatform = { ...platform, alerts: options.alerts }
  registerAlerts(listeners, alertPlatform)
  registerDashboard(listeners, platform)
  registerReminders(listeners, platform)
  registerSettings(listeners, { ...options, ...platform, clientFor })
  registerUnfurl(listeners, platform)
  registerInstall(app, platform, {
    ...options,
    clientOptions,
    isByOAuth: auth.installer !== undefined,
    forget: (id, installedBefore) =>
      linkService.signOutAfter({ id }, () => options.workspaces.forget(id, installedBefore)),
  })

  let handleMcp: SlackApp['handleMcp']
  if (options.hasMcp && source.mode === 'http') {
    const { createMcp } = await import('./mcp/index.ts')
    const { signingSecret } = source
    handleMcp = createMcp(platform, { ...options, ...auth, clientOptions, signingSecret })
  }

  await app.start().catch(async (error: unknown) => {
    await app.stop() // Closes a socket that is still opening.
    throw error
  })
  const reminders = createReminders(platform, { store: options.reminders, clientFor })
  const weeklyReports = createWeeklyReports(platform, clientFor)
  const alerts = createAlertChecks({ ...alertPlatform, clientFor })
  const oldApprovals = createOldApprovals(platform, { store: options.linkApprovals, clientFor })
  const dueWork = [reminders, weeklyReports, alerts, oldApprovals]
  const stopDueWork = [...dueWork.map((work) => work.start()), imports.watch()]
  return {
    handle: receiver.handle,
    handleMcp,
    isConnected: receiver.isConnected,
    installer: auth.installer,
    async stop() {
      for (const stop of stopDueWork) stop()
      await app.stop()
      await within(clock, DRAIN_WITHIN_MS, tasks.drained())
    },
  }
}
