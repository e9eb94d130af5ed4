import type { Logger } from 'pino'
import { createInFlightTasks, type InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { SlackMetrics } from '../../metrics/app-metrics.ts'
import type { Clock } from '../../timing/clock.ts'
import type { DeliveryStore } from '../../workspaces/deliveries.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import { createDoOnce, type DoOnce } from './do-once.ts'
import type { QrLinks } from './picture-links.ts'
import { createQrPictures, type QrPictures } from './pictures.ts'
import { createReplies, type Replies } from './replies.ts'
import { createSlackPost } from './slack-client.ts'
import { createViews, type Views } from './views.ts'

/** What the features have in common: how they talk to Slack. */
export interface Platform {
  logger: Logger
  clock: Clock
  tasks: InFlightTasks
  doOnce: DoOnce
  replies: Replies
  views: Views
  qrPictures: QrPictures
  settings: SettingsStore
  keyring: Keyring
}

export interface PlatformOptions {
  logger: Logger
  clock: Clock
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
  const { logger, clock, metrics, deliveryStore: store, settings, keyring } = options
  const tasks = createInFlightTasks(logger)
  return {
    logger,
    clock,
    settings,
    keyring,
    tasks,
    doOnce: createDoOnce({ store, clock, logger }),
    replies: createReplies({
      logger,
      clock,
      post: createSlackPost(clock, metrics),
    }),
    views: createViews(clock, logger),
    qrPictures: createQrPictures(options),
  }
}
