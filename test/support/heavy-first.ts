import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take many seconds. Vitest knows that only from an earlier run, and otherwise starts with the largest files. */
const HEAVY = ['.slow.test.ts', 'test/journeys', 'test/main', 'test/service/api/concurrent-writes']

/** Starts with the heavy files, so that no long one is left to run alone at the end. */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [light = [], heavy = []] = [false, true].map((wanted) =>
      sorted.filter(({ moduleId }) => HEAVY.some((part) => moduleId.includes(part)) === wanted),
    )
    return [...heavy, ...light]
  }
}
