import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Threads } from '../database/sqlite-thread.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Clock } from '../timing/clock.ts'

export interface StartContext {
  config: Config
  logger: Logger
  clock: Clock
  threads: Threads | undefined
  metrics: Metrics | undefined
  /** Aborted as soon as the app begins to stop. */
  stopping: AbortSignal
  /** Registers a function that stops a part. Parts stop in the reverse order of their registration. */
  onStop: (stop: () => Promise<unknown>) => void
}

export interface Running {
  appUrl: string
  /** The playground's page; absent if the app uses Slack itself. */
  playgroundUrl: string | undefined
  /** The page where workspaces install the app; absent if the app is set up for one workspace, with its bot token. */
  installUrl: string | undefined
  serviceUrl: string
  metricsUrl: string | undefined
  /** Set if Slack can't be reached yet, or refuses a token. Resolves when the app answers Slack, or when it stops. */
  waitingForSlack: Promise<void> | undefined
  /**
   * Finishes the requests in flight, and stops.
   * @param delayMs how long the app responds to new requests before it stops, while `/readyz` returns 503
   */
  stop: (delayMs?: number) => Promise<void>
}
