import type { Refusal } from '../protocol.ts'

/** How many of the newest refusals are kept. */
const MAX_REFUSALS = 100

export type Refusals = ReturnType<typeof createRefusals>

/** A record of everything that Slack would have rejected, for developers of the app. */
export function createRefusals(changed: () => void) {
  let refusals: Refusal[] = []
  let count = 0
  return {
    add(where: string, error: string, details: readonly string[] = []): void {
      count += 1
      const refusal = { id: count, where, error, details: [...details] }
      refusals = [...refusals, refusal].slice(-MAX_REFUSALS)
      changed()
    },
    list: (): Refusal[] => refusals,
    clear(): void {
      refusals = []
      changed()
    },
  }
}
