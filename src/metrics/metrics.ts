/*
 * What the parts of Backhalf report about themselves. Each part gets its interface from the code that starts it, or
 * undefined if nothing is measured. All times are in seconds.
 *
 * Values of labels come from short lists or from our own code. They never contain what users or strangers send: no
 * path, hostname, team or user.
 */

/** The metrics of one process. */
export interface Metrics {
  /** @param server the server that reports, because both may run in one process */
  http(server: 'app' | 'service'): HttpMetrics
  /** @param kind SQLite or PostgreSQL */
  database(kind: string): DatabaseMetrics
  slack(): SlackMetrics
  linkService(): LinkServiceMetrics
  redirects(): RedirectMetrics
  clicks(): ClickMetrics
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  /** The media type of the text. */
  readonly contentType: string
  /** Stops measuring the event loop. */
  close(): void
}

export interface HttpMetrics {
  /** @returns where the durations of requests with this method and route are reported */
  route(method: string, pattern: string): RouteMetrics
  /** Asks at each scrape whether the server is ready. */
  watchReadiness(isReady: () => Promise<boolean>): void
}

export interface RouteMetrics {
  responded(status: number, seconds: number): void
}

/** The work that the database does, and the time that it takes. */
export type DatabaseWork = 'connect' | 'begin' | 'read' | 'write' | 'commit' | 'rollback'

/** The connections for most queries, and those for long reads. */
export type Pool = 'main' | 'long_reads'

export interface DatabaseMetrics {
  pool(pool: Pool): PoolMetrics
  /** A transaction was committed that contains this many writes. */
  committed: (writes: number) => void
}

export interface PoolMetrics {
  worked(work: DatabaseWork, seconds: number): void
  /** A query failed because the database is unreachable, overloaded, locked, full or read-only. */
  unavailable(): void
  /** Reads at each scrape how many queries wait, and how the connections are used. */
  watch: (read: () => PoolUsage) => void
}

export interface PoolUsage {
  /** Queries that wait for a connection; on SQLite, for their turn. */
  waiting: number
  /** Absent on SQLite. */
  connections?: { inUse: number; idle: number; max: number }
}

/** The kinds of requests from Slack. */
export const SLACK_REQUESTS = [
  'command',
  'shortcut',
  'action',
  'form',
  'event',
  'workflow_step',
  'other',
] as const
export type SlackRequest = (typeof SLACK_REQUESTS)[number]

export interface SlackMetrics {
  acknowledged(kind: SlackRequest, seconds: number): void
  /** The app handled a request but did not acknowledge it, so Slack told the user that it failed. */
  unacknowledged(kind: SlackRequest): void
  /** Slack sent a request again because it got no acknowledgement. */
  redelivered(): void
  /** @param error Slack's error code, or `timeout`, `unreachable`, `http_error`; undefined if the call succeeded */
  called(seconds: number, error?: string): void
}

/** The calls to a link service. */
export const LINK_SERVICE_CALLS = [
  'create',
  'list',
  'get',
  'update',
  'remove',
  'clicks',
  'list_domains',
  'try_domain',
] as const
export type LinkServiceCall = (typeof LINK_SERVICE_CALLS)[number]

/** How a call to a link service ended. */
export const LINK_SERVICE_OUTCOMES = [
  'ok',
  'rejected',
  'gone',
  'stale',
  'rate_limited',
  'server_error',
  'timeout',
  'unreachable',
  'invalid_response',
  'uncertain',
  'aborted',
] as const
export type LinkServiceOutcome = (typeof LINK_SERVICE_OUTCOMES)[number]

export interface LinkServiceMetrics {
  /** @param seconds with all retries */
  called(call: LinkServiceCall, outcome: LinkServiceOutcome, seconds: number): void
  retried(call: LinkServiceCall): void
}

/** How the service responds to a short URL. */
export const REDIRECT_OUTCOMES = ['redirected', 'card', 'ended', 'blocked', 'not_found'] as const
export type RedirectOutcome = (typeof REDIRECT_OUTCOMES)[number]

/** Called for every redirect, so it must only count. */
export interface RedirectMetrics {
  /** @param isHit whether the link was in the cache; otherwise the database was asked */
  lookedUp(isHit: boolean): void
  responded(outcome: RedirectOutcome): void
}

export interface ClickMetrics {
  counted(visitor: 'person' | 'bot'): void
  /** The counts in memory were written, or could not be. */
  flushed(outcome: 'written' | 'failed', seconds: number): void
  /** Clicks were dropped because they may be stored already. */
  lost(clicks: number): void
  /** Reads at each scrape how many counts are in memory. */
  watchUnwritten(read: () => number): void
}
