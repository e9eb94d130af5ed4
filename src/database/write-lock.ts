import { DatabaseUnavailableError } from './errors.ts'

/** Lets one task write at a time. The others wait in the order in which they asked. */
export interface WriteLock {
  /**
   * @returns what releases the lock; call it once
   * @throws DatabaseUnavailableError if the wait takes longer than `timeoutMs`
   */
  acquire(timeoutMs: number): Promise<() => void>
  /** How many tasks wait. */
  waiting(): number
}

export function createWriteLock(): WriteLock {
  let held = false
  const turns: (() => void)[] = []

  function release(): void {
    const next = turns.shift()
    if (next) next()
    else held = false
  }

  return {
    async acquire(timeoutMs) {
      if (held) {
        await new Promise<void>((resolve, reject) => {
          const turn = (): void => {
            clearTimeout(timer)
            resolve()
          }
          const timer = setTimeout(() => {
            turns.splice(turns.indexOf(turn), 1)
            reject(new DatabaseUnavailableError('earlier writes take too long'))
          }, timeoutMs)
          turns.push(turn)
        })
      }
      held = true
      return release
    },
    waiting: () => turns.length,
  }
}
