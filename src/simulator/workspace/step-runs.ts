import type { StepRun } from '../protocol.ts'

const MAX_RUNS = 50

export interface StoredRun extends StepRun {
  viewerId: string
  token: string
}

export function createStepRuns() {
  let runs: StoredRun[] = []
  return {
    begin(run: StoredRun): void {
      runs = [...runs, run].slice(-MAX_RUNS)
    },
    find: (id: string) => runs.find((run) => run.id === id),
    listFor: (viewerId: string): StepRun[] =>
      runs
        .filter((run) => run.viewerId === viewerId)
        .map(({ viewerId: _viewer, token: _token, ...run }) => run),
  }
}
