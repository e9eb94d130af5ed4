import type { SlackJson, StepRun } from '../protocol.ts'

/** How many of the newest runs are kept. */
const MAX_RUNS = 50

/** A run of a step, including what only Slack knows. */
export interface StoredRun extends StepRun {
  viewerId: string
  /** The token with which the app completes the run. It expires with the run. */
  token: string
  /** The event that the app received. */
  event: SlackJson & { type: string }
}

/** Every run of one of the app's steps in a workflow. */
export function createStepRuns(changed: () => void) {
  let runs: StoredRun[] = []
  return {
    begin(run: Omit<StoredRun, 'outcome'>): void {
      runs = [...runs, run].slice(-MAX_RUNS)
      changed()
    },
    end(run: StoredRun, outcome: NonNullable<StepRun['outcome']>): void {
      run.outcome = outcome
      changed()
    },
    find: (id: string) => runs.find((run) => run.id === id),
    /** One person's runs, oldest first. */
    of: (viewerId: string): StepRun[] =>
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
