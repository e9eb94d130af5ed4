import type { WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import type { LinkClient } from '../../client/link-client.ts'
import type { SlackMetrics } from '../../metrics/metrics.ts'
import { createInFlightTasks, type InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { DeliveryStore } from '../../workspaces/deliveries.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { MadeLinks } from '../../workspaces/made-links.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { Caller } from './caller.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createLinkLists, type LinkLists } from '../links/link-lists.ts'
import { createLinkService, type LinkService, type RefusedKey } from '../links/link-service.ts'
import { measuredFetch } from './measured-slack.ts'
import type { QrLinks } from './qr-links.ts'
import { createQrPictures, type QrPictures } from './qr-pictures.ts'
import { createShortenPermission, type ShortenPermission } from '../links/shorten-permission.ts'
import { createReplies, type Replies } from './replies.ts'
import { createSlackFetch } from './slack-client.ts'
import { createViews, type Views } from './views.ts'

/** What the features have in common: how they talk to Slack and to the workspace's link service. */
export interface Platform {
  logger: Logger
  clock: Clock
  tasks: InFlightTasks
  deliveries: Deliveries
  replies: Replies
  views: Views
  linkService: LinkService
  linkLists: LinkLists
  qrPictures: QrPictures
  settings: SettingsStore
  permission: ShortenPermission
  keyring: Keyring
  homeTab: HomeTabUpdates
}

/** The Home tab, for features that change what it shows. */
export interface HomeTabUpdates {
  /** Redraws the caller's Home tab if they have opened it. Never rejects: a failure is logged. */
  refresh(caller: Caller): Promise<void>
}

export interface PlatformOptions {
  logger: Logger
  clock: Clock
  clientOptions: WebClientOptions
  workspaces: Workspaces
  madeLinks: MadeLinks
  deliveryStore: DeliveryStore
  settings: SettingsStore
  reminders: ReminderStore
  keyring: Keyring
  qrLinks: QrLinks
  /** Makes a client of the link service with this API key. */
  linkClient: (apiKey: string) => LinkClient
  /** The deployment's own API key, if it has one. */
  configuredKey: string | undefined
  /** The app's public address; if it is https, Slack loads QR images from it. */
  publicUrl: string | undefined
  onRefusedKey: (refused: RefusedKey) => void
  /** Undefined: nothing is measured. */
  metrics?: SlackMetrics | undefined
}

/** Everything but the Home tab, which a feature provides. */
export function createPlatform(options: PlatformOptions): Omit<Platform, 'homeTab'> {
  const { logger, clock, clientOptions, metrics, deliveryStore: store, settings, keyring } = options
  const tasks = createInFlightTasks(logger)
  const linkService = createLinkService({ ...options, tasks })
  return {
    logger,
    clock,
    settings,
    keyring,
    permission: createShortenPermission(options),
    tasks,
    deliveries: createDeliveries({ store, clock, logger }),
    replies: createReplies({
      logger,
      clock,
      fetch: measuredFetch(createSlackFetch(clock), metrics),
    }),
    views: createViews(
      {
        ...clientOptions,
        fetch: measuredFetch(createSlackFetch(clock, { retries: false }), metrics),
      },
      clock,
      logger,
    ),
    linkService,
    linkLists: createLinkLists({ ...options, linkService }),
    qrPictures: createQrPictures(options),
  }
}
