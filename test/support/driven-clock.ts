import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../src/timing/clock.ts'

/** How often a test looks whether something has happened, in milliseconds of real time. */
const LOOK_AGAIN_MS = 2

/** How often in a row a test must see that nothing happens before time goes on. */
const QUIET_LOOKS = 4

/** How long a test waits, in milliseconds of real time. */
const DEADLINE_MS = 20_000

/** No answer waits this long. A sleep of this length is between two checks in the background, and time does not jump to its end. */
const BACKGROUND_MS = 60_000

export interface UntilOptions {
  /** Whether a sleep must wait until something else has happened. */
  isBusy?: (sleeps: number[]) => boolean
  /** Whether a time limit (`timeout`) might be exceeded: only if what it limits hangs. */
  mayTimeOut?: () => boolean
  /** Whether time can advance without waiting for work in progress, because the test measures nothing now. */
  hurries?: boolean
}

export type DrivenClock = ReturnType<typeof createDrivenClock>

/**
 * A clock whose time does not advance during work, so that a busy machine takes no longer than an idle one, and a time
 * limit of 15 s is tested in a few milliseconds.
 */
export function createDrivenClock() {
  let now = Date.parse('2026-03-01T12:00:00Z')
  let changes = 0
  const sleeps = new Set<{ due: number; ms: number; end: () => void }>()

  const timeouts = new Set<{ due: number; end: () => void }>()

  function endNext(mayTimeOut: boolean): void {
    const awaited = [...sleeps].filter(({ ms }) => ms < BACKGROUND_MS)
    const due = [...awaited, ...(mayTimeOut ? timeouts : [])].map((one) => one.due)
    if (due.length === 0) return
    now = Math.max(now, Math.min(...due))
    // A time limit of work that has ended can pass. Nothing depends on it anymore.
    for (const timeout of timeouts) {
      if (timeout.due > now) continue
      timeouts.delete(timeout)
      timeout.end()
    }
    const next = [...sleeps].find((sleep) => sleep.due <= now)
    if (!next) return
    sleeps.delete(next)
    next.end()
  }

  /** The lengths of the sleeps that have not ended and that something waits for, in milliseconds. */
  const sleeping = (): number[] =>
    [...sleeps].map(({ ms }) => ms).filter((ms) => ms < BACKGROUND_MS)

  const clock: Clock = {
    now: () => now,
    random: () => 1,
    sleep: (ms, signal) =>
      new Promise((end, reject) => {
        signal?.throwIfAborted()
        changes += 1
        const sleep = { due: now + ms, ms, end }
        sleeps.add(sleep)
        signal?.addEventListener('abort', () => {
          changes += 1
          sleeps.delete(sleep)
          reject(signal.reason as Error)
        })
      }),
    timeout(ms) {
      const limit = new AbortController()
      const end = (): void => limit.abort(new DOMException('too late', 'TimeoutError'))
      timeouts.add({ due: now + ms, end })
      return limit.signal
    },
  }
  return {
    ...clock,
    sleeping,
    /**
     * Waits until a condition is truthy. When nothing else happens, time jumps to the end of the next sleep.
     *
     * @throws after 20 s of real time
     */
    async until<T>(
      condition: () => T,
      { isBusy = () => false, mayTimeOut = () => false, hurries = false }: UntilOptions = {},
    ): Promise<NonNullable<T>> {
      const end = Date.now() + DEADLINE_MS
      let seen = -1
      let quiet = 0
      for (;;) {
        const value = condition()
        if (value) return value
        if (Date.now() > end) {
          throw new Error(`still false: ${condition.toString()}; sleeping: ${sleeping().join()}`)
        }
        await delay(LOOK_AGAIN_MS)
        quiet = seen === changes && !isBusy(sleeping()) ? quiet + 1 : 0
        seen = changes
        if (quiet < (hurries ? 1 : QUIET_LOOKS)) continue
        quiet = 0
        endNext(mayTimeOut())
      }
    },
  }
}
