import type { SlackJson, StepRun } from '../protocol.ts'

const MAX_RUNS = 50

export interface StoredRun extends StepRun {
  viewerId: string
  token: string
  event: SlackJson & { type: string }
}

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
    listFor: (viewerId: string): StepRun[] =>
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
