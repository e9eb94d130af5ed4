import type { Logger } from 'pino'
import { createInFlightTasks } from '../../http/in-flight-tasks.ts'
import type { SlackMetrics } from '../../metrics/app-metrics.ts'
import type { Clock } from '../../timing/clock.ts'
import type { DeliveryStore } from '../../workspaces/deliveries.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import { createReplies } from './replies.ts'
import { createSlackPost } from './slack-client.ts'
import { createViews } from './views.ts'

interface PlatformOptions {
  logger: Logger
  clock: Clock
  deliveryStore: DeliveryStore
  reachesLoopback?: boolean
  settings: SettingsStore
  keyring: Keyring
  metrics?: SlackMetrics | undefined
}

export type Platform = ReturnType<typeof createPlatform>

export function createPlatform(options: PlatformOptions) {
  const { logger, clock, metrics, deliveryStore, settings, keyring } = options
  const { reachesLoopback = false } = options
  const tasks = createInFlightTasks(logger)
  return {
    logger,
    clock,
    reachesLoopback,
    settings,
    keyring,
    tasks,
    doOnce: createDoOnce(deliveryStore, logger),
    replies: createReplies({ logger, clock, post: createSlackPost(clock, metrics) }),
    views: createViews(clock, logger),
  }
}

/**
 * Does work once among all processes within 15 minutes, even if several requests ask for it, such as two clicks on a
 * button. If the work fails, it can be done again. Returns undefined if an earlier request has done it, or is doing it.
 */
export type DoOnce = <T>(key: string, work: () => Promise<T>) => Promise<{ value: T } | undefined>

export function createDoOnce(store: DeliveryStore, logger: Pick<Logger, 'error'>): DoOnce {
  const goOn = (err: unknown): true => {
    logger.error({ err }, 'the record of what was done once could not be used')
    return true
  }
  return async (key, work) => {
    if (!(await store.claim(key).catch(goOn))) return undefined
    try {
      return { value: await work() }
    } catch (error) {
      await store.release(key).catch(goOn)
      throw error
    }
  }
}
