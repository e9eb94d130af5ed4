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
  stopping: AbortSignal
  /** Parts stop in the reverse order of their registration. */
  onStop: (stop: () => Promise<unknown>) => void
}

export interface Running {
  appUrl: string
  /** Absent if the app uses Slack itself. */
  playgroundUrl: string | undefined
  /** Absent if the app is set up for one workspace, with its bot token. */
  installUrl: string | undefined
  serviceUrl: string
  metricsUrl: string | undefined
  /** Set if Slack can't be reached yet, or refuses a token. Resolves when the app answers Slack, or when it stops. */
  waitingForSlack: Promise<void> | undefined
  /** Finishes the requests in flight, and stops. For `delayMs` before this, `/readyz` returns 503. */
  stop: (delayMs?: number) => Promise<void>
}
