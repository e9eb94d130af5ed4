import type { RequestListener } from 'node:http'
import { App, HTTPReceiver, SocketModeReceiver, type Receiver } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import { createAdmission } from './admission.ts'
import { boltLogger } from './bolt-logger.ts'
import { createChecklists } from './checklists.ts'
import { createConnector } from './connector.ts'
import { createDuplicateViews } from './duplicate-views.ts'
import { createDuplicates } from './duplicates.ts'
import { createFormStates } from './form-state.ts'
import { createHomes } from './homes.ts'
import { createListedLinks } from './listed-links.ts'
import { createExistingLinks } from './existing-links.ts'
import { createLinkRecord } from './link-record.ts'
import { createLinkBatches } from './link-batches.ts'
import { createLinks } from './links.ts'
import { createAccess, type SlackTokens } from './install/slack-auth.ts'
import type { Installer } from './install/installer.ts'
import { createTurnedAway } from './installing/turned-away.ts'
import { registerListeners } from './listeners/index.ts'
import { createPreviewImages } from './shorten/preview-images.ts'
import type { QrLinks } from './qr-links.ts'
import { createQrPictures } from './qr-pictures.ts'
import { createReplies } from './replies.ts'
import { createSharing } from './sharing.ts'
import { createSettingsDesk } from './settings/desk.ts'
import { createShortenForms } from './shorten-forms.ts'
import { createShortener } from './shortener.ts'
import { createUsedUtm } from './used-utm.ts'
import { createUnfurls } from './unfurls.ts'
import { createViewOpener } from './view-opener.ts'
import { createWork } from './work.ts'
import { createWorkflowStep } from './workflow-step.ts'
import type { LinkClient } from '../client/link-client.ts'
import type { Keyring } from '../workspaces/keyring.ts'
import type { MadeLinks } from '../workspaces/made-links.ts'
import type { RecentUtm } from '../workspaces/recent-utm.ts'
import type { SettingsStore } from '../workspaces/settings.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** Where Slack's requests come from. */
export type Connection =
  { mode: 'http'; signingSecret: string } | { mode: 'socket'; appToken: string }

export interface SlackAppOptions {
  connection: Connection
  tokens: SlackTokens
  /** Slack's Web API, ending in a slash. */
  apiUrl: string
  workspaces: Workspaces
  settings: SettingsStore
  recentUtm: RecentUtm
  madeLinks: MadeLinks
  keyring: Keyring
  qrLinks: QrLinks
  /** A client of the link service with this API key. */
  linkClient: (apiKey: string) => LinkClient
  /** Where the link service is, for people. */
  serviceUrl: string
  /** Where the world reaches the app; with https, QR images are shown from there. */
  publicUrl: string | undefined
  logger: Logger
}

export interface SlackApp {
  /** Answers POST /slack/events; absent in Socket Mode. */
  requestListener: RequestListener | undefined
  /** Installs the app in workspaces; absent where one bot token is configured. */
  installer: Installer | undefined
  /** Takes no more requests, and resolves when everything under way has ended. */
  stop(): Promise<void>
}

/** What Bolt hands over with `extendedErrorHandler`; it does not export the type. */
type ErrorArgs = Parameters<Parameters<App['error']>[0]>[0]

/** Bytes of a request's body: a form with every field filled in stays far below it. */
const BODY_LIMIT = 1_000_000

/**
 * The Slack app, ready to answer.
 *
 * @throws when Slack doesn't accept the tokens, or can't be reached
 */
export async function createSlackApp(options: SlackAppOptions): Promise<SlackApp> {
  const { apiUrl, logger, workspaces, settings, recentUtm, linkClient: client, keyring } = options
  const clientOptions: WebClientOptions = {
    slackApiUrl: apiUrl,
    logger: boltLogger(logger),
    timeout: 10_000,
    retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 1_000 },
    rejectRateLimitedCalls: true,
  }
  const { receiver, requestListener } = createReceiver(options)
  const work = createWork()
  const access = await createAccess({ ...options, clientOptions, work })
  const app = new App({
    receiver,
    authorize: access.authorize,
    extendedErrorHandler: true,
    clientOptions,
    convoStore: false, // Nothing is kept there, and every request would look.
    logger: boltLogger(logger),
  })
  const replies = createReplies({ logger, fetch })
  const links = createLinks({
    findConnection: (workspace) => workspaces.connection(workspace),
    client,
    logger,
  })
  const qrPictures = createQrPictures(options)
  const previewImages = createPreviewImages({ slackApiUrl: apiUrl, fetch })
  const admission = createAdmission({ settings, logger })
  const linkRecord = createLinkRecord({ ...options, work })
  const shortener = createShortener({
    settings,
    admission,
    links,
    existingLinks: createExistingLinks({ links }),
    linkRecord,
    usedUtm: createUsedUtm({ recentUtm, work, logger }),
    previewImages,
    qrPictures,
    replies,
  })
  const sharing = createSharing({ replies, qrPictures })
  const duplicateViews = createDuplicateViews(keyring)
  registerListeners(app, {
    logger,
    work,
    settings,
    desk: createSettingsDesk({ workspaces, settings, serviceUrl: options.serviceUrl }),
    removal: access.removal,
    links,
    listedLinks: createListedLinks({ links, settings, replies, qrPictures, sharing }),
    homes: createHomes({ links, serviceUrl: options.serviceUrl, logger }),
    sharing,
    replies,
    qrPictures,
    admission,
    shortener,
    workflowStep: createWorkflowStep({ shortener, qrPictures, logger }),
    checklists: createChecklists({ keyring, links, settings }),
    batches: createLinkBatches({ shortener, logger }),
    linkRecord,
    duplicates: createDuplicates({ duplicateViews, qrPictures, replies, logger }),
    duplicateViews,
    forms: createShortenForms({
      links,
      settings,
      recentUtm,
      formStates: createFormStates(keyring),
    }),
    connector: createConnector({ client, workspaces, serviceUrl: options.serviceUrl }),
    unfurls: createUnfurls(options),
    views: createViewOpener(clientOptions),
  })
  const turnedAway = createTurnedAway({
    ...options,
    client: new WebClient(undefined, clientOptions),
    replies,
    work,
  })
  app.error(async ({ error, body }: ErrorArgs) => {
    if (!turnedAway(error, body)) logger.error({ err: error }, 'a request from Slack failed')
  })
  const socket = options.connection.mode === 'socket'
  if (socket) await app.start()
  return {
    requestListener,
    installer: access.installer,
    async stop() {
      if (socket) await app.stop()
      await work.drained()
    },
  }
}

function createReceiver({ connection, apiUrl, logger }: SlackAppOptions): {
  receiver: Receiver
  requestListener: RequestListener | undefined
} {
  if (connection.mode === 'socket') {
    const receiver = new SocketModeReceiver({
      appToken: connection.appToken,
      logger: boltLogger(logger),
      installerOptions: { clientOptions: { slackApiUrl: apiUrl } },
    })
    return { receiver, requestListener: undefined }
  }
  const receiver = new HTTPReceiver({
    signingSecret: connection.signingSecret,
    bodyLimit: BODY_LIMIT,
    logger: boltLogger(logger),
  })
  return { receiver, requestListener: receiver.requestListener }
}
