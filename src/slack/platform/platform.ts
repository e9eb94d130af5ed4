import type { Logger } from 'pino'
import { createInFlightTasks, type InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { SlackMetrics } from '../../metrics/app-metrics.ts'
import type { Clock } from '../../timing/clock.ts'
import type { DeliveryStore } from '../../workspaces/deliveries.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import { createReplies, type Replies } from './replies.ts'
import { createSlackPost } from './slack-client.ts'
import { createViews, type Views } from './views.ts'

/** What every feature of the Slack app uses. `LinkPlatform` and `ShortenPlatform` add what only some features need. */
export interface Platform {
  logger: Logger
  clock: Clock
  reachesLoopback: boolean // True in the playground, whose simulated Slack runs on this machine.
  settings: SettingsStore
  keyring: Keyring
  tasks: InFlightTasks
  doOnce: DoOnce
  replies: Replies
  views: Views
}

interface PlatformOptions extends Pick<Platform, 'logger' | 'clock' | 'settings' | 'keyring'> {
  deliveryStore: DeliveryStore
  reachesLoopback?: boolean
  metrics?: SlackMetrics | undefined
}

export function createPlatform(options: PlatformOptions): Platform {
  const { logger, clock, metrics, settings, keyring, reachesLoopback = false } = options
  const tasks = createInFlightTasks(logger)
  return {
    logger,
    clock,
    reachesLoopback,
    settings,
    keyring,
    tasks,
    doOnce: createDoOnce(options.deliveryStore, logger),
    replies: createReplies({ clock, logger, tasks, post: createSlackPost(clock, metrics) }),
    views: createViews(clock, logger),
  }
}

/**
 * Does work only once within 15 minutes, also among processes. Failed work can be done again. If the database fails,
 * the work is done anyway. Returns undefined if another request does or did the work.
 */
export type DoOnce = <T>(key: string, work: () => Promise<T>) => Promise<{ value: T } | undefined>

export function createDoOnce(store: DeliveryStore, logger: Pick<Logger, 'error'>): DoOnce {
  return async (key, work) => {
    const isFirst = await store.claim(key).catch((err: unknown) => {
      logger.error({ err }, 'it is unknown whether this was done before, so it is done')
      return true
    })
    if (!isFirst) return undefined
    try {
      return { value: await work() }
    } catch (error) {
      await store.release(key).catch((err: unknown) => {
        logger.error({ err }, 'this failed, but it can’t be done again for 15 minutes')
      })
      throw error
    }
  }
}
