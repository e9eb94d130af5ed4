/**
 * Whether this is `npm run test:full`, which CI runs. It also runs tests on PostgreSQL of code that is the same for both
 * databases, checks pages at each width and in both color schemes, and tries more random cases.
 */
export const isFullRun = process.env.TEST_FULL === 'true'

/** How many random cases to try of a property that takes long. Try more with `FC_RUNS=500`. */
export function propertyRuns(inFullRun: number): number {
  return Number(process.env.FC_RUNS ?? (isFullRun ? inFullRun : Math.ceil(inFullRun / 3)))
}
