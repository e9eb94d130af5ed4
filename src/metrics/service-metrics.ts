import type { Definitions } from './definitions.ts'

const REDIRECT_OUTCOMES = [
  'redirected',
  'card',
  'ended',
  'blocked',
  'not_found',
  'not_found_redirected',
] as const

export type RedirectOutcome = (typeof REDIRECT_OUTCOMES)[number]

export type RedirectMetrics = ReturnType<typeof redirectMetrics>

export function redirectMetrics({ counter }: Definitions) {
  return {
    lookups: counter(
      'backhalf_redirect_cache_lookups_total',
      'Short URLs that were looked up in the cache. After a miss, the database is read.',
      { result: ['hit', 'miss'] },
    ),
    responses: counter('backhalf_redirects_total', 'Responses to short URLs.', {
      outcome: REDIRECT_OUTCOMES,
    }),
  }
}

export type DestinationMetrics = ReturnType<typeof destinationMetrics>

export function destinationMetrics({ counter, gauge }: Definitions) {
  return {
    checks: counter(
      'backhalf_destination_checks_total',
      'Destinations that were checked, by result.',
      { outcome: ['works', 'fails', 'unclear', 'private'] },
    ),
    watchDead(read: () => Promise<number>): void {
      gauge('backhalf_dead_destinations', 'Links whose destination is dead.', [], read)
    },
  }
}

export type ClickMetrics = ReturnType<typeof clickMetrics>

export function clickMetrics({ counter, histogram, gauge }: Definitions) {
  return {
    counted: counter('backhalf_clicks_total', 'Clicks that were counted, by people and by bots.', {
      visitor: ['person', 'bot'],
    }),
    flushes: histogram(
      'backhalf_click_flush_duration_seconds',
      'How long it took to write the counted clicks. After a failure, the next flush retries.',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      { outcome: ['written', 'failed'] },
    ),
    lost: counter(
      'backhalf_clicks_lost_total',
      'Clicks that were dropped because the connection broke during their commit.',
    ),
    watchUnwritten: (read: () => number): void =>
      gauge(
        'backhalf_clicks_unwritten',
        'Click counts that are not in the database yet, one for each link and day.',
        [],
        read,
      ),
  }
}
