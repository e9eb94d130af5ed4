import type { Logger } from 'pino'
import { createInFlightTasks } from '../../http/in-flight-tasks.ts'
import type { SlackMetrics } from '../../metrics/app-metrics.ts'
import { within, type Clock } from '../../timing/clock.ts'
import type { DeliveryStore, WorkState } from '../../workspaces/deliveries.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import { createReplies } from './replies.ts'
import { createSlackPost } from './slack-client.ts'
import { createViews } from './views.ts'

interface PlatformOptions {
  logger: Logger
  clock: Clock
  deliveryStore: DeliveryStore
  /** Whether Slack loads pictures from this machine, as the playground's does. */
  reachesLoopback?: boolean
  settings: SettingsStore
  keyring: Keyring
  metrics?: SlackMetrics | undefined
}

/** What the features have in common: how they talk to Slack. */
export type Platform = ReturnType<typeof createPlatform>

export function createPlatform(options: PlatformOptions) {
  const { logger, clock, metrics, deliveryStore: store, settings, keyring } = options
  const { reachesLoopback = false } = options
  const tasks = createInFlightTasks(logger)
  return {
    logger,
    clock,
    reachesLoopback,
    settings,
    keyring,
    tasks,
    doOnce: createDoOnce({ store, clock, logger }),
    replies: createReplies({ logger, clock, post: createSlackPost(clock, metrics) }),
    views: createViews(clock, logger),
  }
}

/** How long work waits for the database before it is done without it, in milliseconds. */
const DATABASE_WITHIN_MS = 450

/** The outcome of work that is done once: done now, done by an earlier request, or in progress. */
type WorkOutcome<T> = { state: 'done'; value: T } | { state: WorkState }

/**
 * Does work once among all processes within 15 minutes, even if several requests ask for it, such as two clicks on a
 * button. If the work fails, it can be done again.
 *
 * @param key the same for the same work
 */
export type DoOnce = <T>(key: string, work: () => Promise<T>) => Promise<WorkOutcome<T>>

export function createDoOnce({
  store,
  clock,
  logger,
}: Pick<PlatformOptions, 'clock' | 'logger'> & { store: DeliveryStore }): DoOnce {
  /** Returns undefined if the database fails or is slow, so that work is done without it. */
  async function ask<T>(question: Promise<T>): Promise<T | undefined> {
    const answer = question.catch((err: unknown) => {
      logger.error({ err }, 'the record of what was done once could not be used')
      return undefined
    })
    return (await within(clock, DATABASE_WITHIN_MS, answer))?.value
  }

  return async (key, work) => {
    const state = await ask(store.claim(key))
    if (state === 'done_before' || state === 'under_way') return { state }
    const value = await work().catch(async (error: unknown) => {
      await ask(store.release(key))
      throw error
    })
    await ask(store.finish(key))
    return { state: 'done', value }
  }
}
