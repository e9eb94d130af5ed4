import { randomInt } from 'node:crypto'

export function createClock(now: () => number) {
  let last = 0
  return {
    now,
    // Returns a new, unique `ts` for a message: seconds with six decimals, such as `1798113600.000001`.
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
