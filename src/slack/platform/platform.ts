import type { WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Clock } from '../../timing/clock.ts'
import { createInFlightTasks, type InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { SlackMetrics } from '../../metrics/app-metrics.ts'
import type { DeliveryStore } from '../../workspaces/deliveries.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { measuredFetch } from './measured-slack.ts'
import type { QrLinks } from './qr-links.ts'
import { createQrPictures, type QrPictures } from './qr-pictures.ts'
import { createReplies, type Replies } from './replies.ts'
import { createSlackFetch } from './slack-client.ts'
import { createViews, type Views } from './views.ts'

/** What the features have in common: how they talk to Slack. */
export interface Platform {
  logger: Logger
  clock: Clock
  tasks: InFlightTasks
  deliveries: Deliveries
  replies: Replies
  views: Views
  qrPictures: QrPictures
  settings: SettingsStore
  keyring: Keyring
}

export interface PlatformOptions {
  logger: Logger
  clock: Clock
  clientOptions: WebClientOptions
  deliveryStore: DeliveryStore
  settings: SettingsStore
  keyring: Keyring
  qrLinks: QrLinks
  /** The app's public address; if it is https, Slack loads QR images from it. */
  publicUrl: string | undefined
  /** Undefined: nothing is measured. */
  metrics?: SlackMetrics | undefined
}

export function createPlatform(options: PlatformOptions): Platform {
  const { logger, clock, clientOptions, metrics, deliveryStore: store, settings, keyring } = options
  const tasks = createInFlightTasks(logger)
  return {
    logger,
    clock,
    settings,
    keyring,
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
    qrPictures: createQrPictures(options),
  }
}
