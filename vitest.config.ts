import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
// The workers and their threads read the variable that it sets.
import './src/runtime.cjs'
import { HeavyFirst } from './test/support/heavy-first.ts'

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(mode === 'full' ? [] : ['test/**/*.slow.test.ts'])],
    env: { TEST_FULL: String(mode === 'full') },
    globalSetup: ['test/support/temp-dir.ts', 'test/support/shared-servers.ts'],
    sequence: { sequencer: HeavyFirst },
    // Importing the app again for each file would take longer than most files' tests.
    isolate: false,
    // Many tests wait for a browser, a database or a time limit, so one more worker than cores saves time.
    maxWorkers: availableParallelism() + 1,
    // Time limits only stop tests that hang: no test may depend on the machine being idle.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 20, timeout: 20_000 } },
  },
}))
