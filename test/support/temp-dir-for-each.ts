import { afterEach, beforeEach } from 'vitest'
import { makeTempDir } from './temp-dir.ts'

/** An empty directory for each test of a file, which is removed after the test. */
export function tempDirForEach(): { readonly path: string } {
  let directory: Awaited<ReturnType<typeof makeTempDir>> | undefined
  beforeEach(async () => {
    directory = await makeTempDir()
  })
  afterEach(() => directory?.remove())
  return {
    get path() {
      return directory?.path ?? ''
    },
  }
}
