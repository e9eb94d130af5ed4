import type { Refusal } from '../protocol.ts'

const MAX_REFUSALS = 100

export type Refusals = ReturnType<typeof createRefusals>

export function createRefusals() {
  let refusals: Refusal[] = []
  let count = 0
  return {
    add(where: string, error: string, details: readonly string[] = []): void {
      count += 1
      const refusal = { id: count, where, error, details: [...details] }
      refusals = [...refusals, refusal].slice(-MAX_REFUSALS)
    },
    list: (): Refusal[] => refusals,
    clear: (): void => void (refusals = []),
  }
}
