import { randomInt } from 'node:crypto'

export function createClock(now: () => number) {
  let last = 0
  return {
    now,
    /** Returns a `ts` for a message: seconds with six decimals, never the same twice. */
    ts(): string {
      last = Math.max(last + 1, now() * 1000)
      const micros = String(last).padStart(7, '0')
      return `${micros.slice(0, -6)}.${micros.slice(-6)}`
    },
  }
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export function newId(prefix: string, length = 10): string {
  return `${prefix}${Array.from({ length }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('')}`
}
