import type { Registry } from './registry.ts'

/** How often the delay is measured, in milliseconds. */
const EVERY_MS = 20

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/**
 * Measures how late a timer fires. prom-client's own metrics (`nodejs_eventloop_lag_…`) start again with each scrape,
 * so they are wrong if there are two scrapers, and they can't be combined across processes. A histogram can.
 *
 * @returns a function that stops it
 */
export function watchEventLoop(registry: Registry): () => void {
  const delays = registry.histogram(
    {
      name: 'backhalf_event_loop_delay_seconds',
      help: 'How late timers fire because the event loop is busy. Requests wait as long.',
    },
    BOUNDS,
  )({})
  let due = performance.now() + EVERY_MS
  const timer = setInterval(() => {
    const now = performance.now()
    delays.observe(Math.max(0, now - due) / 1_000)
    due = now + EVERY_MS
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
