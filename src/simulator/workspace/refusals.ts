import type { Refusal } from '../protocol.ts'

/** Newest refusals that are kept. */
const KEPT = 100

/** What the simulation refused as Slack would, for whoever is trying things out. */
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
      refusals = [...refusals, { id: count, where, error, details: [...details] }].slice(-KEPT)
      changed()
    },
    list: () => refusals,
    clear() {
      refusals = []
      changed()
    },
  }
}
