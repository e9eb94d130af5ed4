import { LRUCache } from 'lru-cache'

/** Keys that are counted at the same time. */
const MAX_KEYS = 10_000

/** A key's requests since the start of its minute, which is a time of the monotonic clock. */
interface Window {
  requests: number
  start: number
}

type Done = (error: Error | null, result?: { current: number; ttl: number }) => void

/**
 * Counts requests for @fastify/rate-limit. Its own store uses the clock of the day: if that is set back by a day, a
 * key that has reached its limit is locked out for a day.
 */
export class RateLimitStore {
  readonly #windows = new LRUCache<string, Window>({ max: MAX_KEYS })

  /** @param windowMs how long requests count, in milliseconds */
  incr(key: string, done: Done, windowMs: number): void {
    const now = performance.now()
    let window = this.#windows.get(key)
    if (!window || now >= window.start + windowMs) window = { requests: 0, start: now }
    window.requests += 1
    this.#windows.set(key, window)
    done(null, { current: window.requests, ttl: Math.ceil(window.start + windowMs - now) })
  }

  child(): RateLimitStore {
    return new RateLimitStore()
  }
}
