import type { Refusal } from '../protocol.ts'

const MAX_REFUSALS = 100

/** Thrown if Slack would refuse what the app sends. The code is Slack's error, such as `invalid_blocks`. */
export class SlackRefusal extends Error {
  readonly code: string
  readonly details: readonly string[]

  constructor(code: string, details: readonly string[] = []) {
    super(code)
    this.code = code
    this.details = details
  }
}

export function createRefusals() {
  let refusals: Refusal[] = []
  let count = 0
  const add = (where: string, error: string, details: readonly string[]): void => {
    count += 1
    refusals = [...refusals, { id: count, where, error, details }].slice(-MAX_REFUSALS)
  }
  return {
    add,
    // Runs `work`. If it throws a SlackRefusal, records and returns it.
    catch<T>(where: string, work: () => T): T | SlackRefusal {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof SlackRefusal)) throw error
        add(where, error.code, error.details)
        return error
      }
    },
    list: (): Refusal[] => refusals,
    clear: (): void => void (refusals = []),
  }
}
