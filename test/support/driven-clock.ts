import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../src/client/clock.ts'

/** How often a test looks whether something has happened, in milliseconds of real time. */
const LOOK_AGAIN_MS = 5

/** How often in a row a test must see that nothing happens before time goes on. */
const QUIET_LOOKS = 4

/** How long a test waits, in milliseconds of real time. */
const DEADLINE_MS = 20_000

/**
 * A clock whose time does not advance during work, so that a busy machine takes no longer than an
 * idle one, and a time limit of 15 s is tested in a few milliseconds.
 */
export interface DrivenClock extends Clock {
  /**
   * Waits until a condition is truthy. When nothing else happens, time jumps to the end of the next sleep.
   *
   * @param isBusy whether a sleep must not end yet, because something else comes first
   * @throws after 20 s of real time
   */
  until<T>(condition: () => T, isBusy?: (sleeps: number[]) => boolean): Promise<NonNullable<T>>
  /** The lengths of the sleeps that have not ended, in milliseconds. */
  sleeping(): number[]
}

export function createDrivenClock(): DrivenClock {
  let now = Date.parse('2026-03-01T12:00:00Z')
  let changes = 0
  const sleeps = new Set<{ due: number; ms: number; end: () => void }>()

  function endNextSleep(): void {
    const [next] = [...sleeps].sort((a, b) => a.due - b.due)
    if (!next) return
    sleeps.delete(next)
    now = Math.max(now, next.due)
    next.end()
  }

  const sleeping = (): number[] => [...sleeps].map(({ ms }) => ms)

  return {
    now: () => now,
    random: () => 1,
    sleeping,
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
    async until(condition, isBusy = () => false) {
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
        if (quiet < QUIET_LOOKS) continue
        quiet = 0
        endNextSleep()
      }
    },
  }
}
