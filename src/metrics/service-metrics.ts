import { REDIRECT_OUTCOMES, type ClickMetrics, type RedirectMetrics } from './metrics.ts'
import type { Registry } from './registry.ts'

/** A flush is one or more commits. */
const FLUSH_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export function createRedirectMetrics(registry: Registry): RedirectMetrics {
  const lookups = registry.counter({
    name: 'backhalf_redirect_cache_lookups_total',
    help: 'Short URLs that were looked up in the cache. After a miss, the database is asked.',
    labels: ['result'],
  })
  const redirects = registry.counter({
    name: 'backhalf_redirects_total',
    help: 'Responses to short URLs.',
    labels: ['outcome'],
  })
  const [hits, misses] = [lookups({ result: 'hit' }), lookups({ result: 'miss' })]
  const outcomes = Object.fromEntries(
    REDIRECT_OUTCOMES.map((outcome) => [outcome, redirects({ outcome })]),
  ) as Record<(typeof REDIRECT_OUTCOMES)[number], { value: number }>
  return {
    lookedUp: (isHit) => void (isHit ? hits.value++ : misses.value++),
    responded: (outcome) => void outcomes[outcome].value++,
  }
}

export function createClickMetrics(registry: Registry): ClickMetrics {
  const clicks = registry.counter({
    name: 'backhalf_clicks_total',
    help: 'Clicks that were counted, by people and by bots.',
    labels: ['visitor'],
  })
  const flushes = registry.histogram(
    {
      name: 'backhalf_click_flush_duration_seconds',
      help: 'How long it took to write the counted clicks. After a failure, the next flush tries again.',
      labels: ['outcome'],
    },
    FLUSH_BOUNDS,
  )
  const lostClicks = registry.counter({
    name: 'backhalf_clicks_lost_total',
    help: 'Clicks that were dropped because the connection broke during their commit.',
  })({})
  let readUnwritten = (): number => 0
  registry.gauge(
    {
      name: 'backhalf_clicks_unwritten',
      help: 'Counts of clicks that are only in memory, one for each link and day.',
    },
    () => [{ labels: {}, value: readUnwritten() }],
  )
  const byVisitor = { person: clicks({ visitor: 'person' }), bot: clicks({ visitor: 'bot' }) }
  const byOutcome = {
    written: flushes({ outcome: 'written' }),
    failed: flushes({ outcome: 'failed' }),
  }
  return {
    counted: (visitor) => void byVisitor[visitor].value++,
    flushed: (outcome, seconds) => byOutcome[outcome].observe(seconds),
    lost: (count) => void (lostClicks.value += count),
    watchUnwritten: (read) => void (readUnwritten = read),
  }
}
