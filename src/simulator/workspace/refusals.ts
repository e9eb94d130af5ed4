import type { Refusal } from '../protocol.ts'

/** How many of the newest refusals are kept. */
const MAX_REFUSALS = 100

/** A record of everything that Slack would have rejected, for developers of the app. */
export interface Refusals {
  add(where: string, error: string, details?: readonly string[]): void
  list(): Refusal[]
  clear(): void
}

export function createRefusals(changed: () => void): Refusals {
  let refusals: Refusal[] = []
  let count = 0
  return {
    add(where, error, details = []) {
      count += 1
      const refusal = { id: count, where, error, details: [...details] }
      refusals = [...refusals, refusal].slice(-MAX_REFUSALS)
      changed()
    },
    list: () => refusals,
    clear() {
      refusals = []
      changed()
    },
  }
}
