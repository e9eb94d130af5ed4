import type { SlackJson, StepRun } from '../protocol.ts'

/** Newest runs that are kept. */
const KEPT = 50

/** A run of a step, with what only Slack knows of it. */
export interface StoredRun extends StepRun {
  viewerId: string
  /** The token that the app may complete it with, and that ends with it. */
  token: string
  /** What the app was told. */
  event: SlackJson & { type: string }
}

/** Steps of the app's that somebody's workflow has run. */
export interface StepRuns {
  begin(run: Omit<StoredRun, 'outcome'>): void
  end(run: StoredRun, outcome: NonNullable<StepRun['outcome']>): void
  find(id: string): StoredRun | undefined
  /** What one person has run, oldest first. */
  of(viewerId: string): StepRun[]
}

export function createStepRuns(changed: () => void): StepRuns {
  let runs: StoredRun[] = []
  return {
    begin(run) {
      runs = [...runs, run].slice(-KEPT)
      changed()
    },
    end(run, outcome) {
      run.outcome = outcome
      changed()
    },
    find: (id) => runs.find((run) => run.id === id),
    of: (viewerId) =>
      runs
        .filter((run) => run.viewerId === viewerId)
        .map(({ id, callbackId, inputs, outcome }) => ({
          id,
          callbackId,
          inputs,
          ...(outcome && { outcome }),
        })),
  }
}
